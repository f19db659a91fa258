import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Store } from '../../store/store.ts';
import { threadOf } from '../../store/threads/thread.ts';
import type { Log } from '../log/log.ts';
import type { Config } from '../settings/config.ts';
import { isInMemory } from '../settings/database-url.ts';
import type { HookNews, HookServices } from './hook-worker.ts';

/** Milliseconds between two looks whether there are hooks, and whether their thread runs. */
const EVERY = 2_000;

/**
 * Has a thread deliver to hooks as soon as there are any. A database in memory has none: no other connection can read it.
 *
 * @returns `restart` takes up changed settings; `stop` ends all tries
 */
export const startHooks = (
  { hooks }: Pick<Store, 'hooks'>,
  catalogue: Catalogue,
  { DATABASE_URL }: Config,
  log: Log,
): { readonly restart: () => Promise<void>; readonly stop: () => Promise<void> } => {
  const thread = threadOf<HookServices, HookNews>(new URL('./hook-worker.ts', import.meta.url), {
    workerData: catalogue,
  });
  thread.listen(({ level, line }) => log[level](line));
  let fault: string | undefined;
  const look = async (): Promise<void> => {
    try {
      if ((await hooks.count()) > 0) await thread.ask('run', []);
      fault = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== fault) log.warn('hooks are not delivered', error);
      fault = message;
    }
  };
  const timer = isInMemory(DATABASE_URL) ? undefined : setInterval(() => void look(), EVERY).unref();
  return {
    restart: thread.close,
    stop: async () => {
      clearInterval(timer);
      await thread.close();
    },
  };
};
