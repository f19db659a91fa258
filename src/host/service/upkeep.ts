import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { changeAt } from '../../store/change-set.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../log/log.ts';
import type { Config } from '../settings/config.ts';
import { startHooks } from './hook-thread.ts';

/** Milliseconds between two steps. */
const EVERY = 60_000;

/**
 * What one process does for all that share its work: forgets deletions that are older than the setting, little by little, and
 * delivers to hooks.
 */
export const startUpkeep = (store: Store, catalogue: Catalogue, config: Config, log: Log) => {
  const forget = async (): Promise<void> => {
    // Where it fails, the next step does it.
    await Promise.resolve(store.forgetDeletions(changeAt(Date.now() - config.CHANGES_TTL * 1_000))).catch(() => {});
  };
  const timer = setInterval(() => void forget(), EVERY).unref();
  const hooks = startHooks(store, catalogue, config, log);
  return {
    /** Takes up changed settings. */
    reload: hooks.restart,
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await hooks.stop();
    },
  };
};
