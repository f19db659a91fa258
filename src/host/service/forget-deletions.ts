import { changeAt } from '../../store/change-set.ts';
import type { Store } from '../../store/store.ts';
import type { Config } from '../settings/config.ts';

/** Milliseconds between two steps. */
const EVERY = 60_000;

/** Forgets deletions that are older than the setting, little by little. @returns a function that stops it */
export const forgettingDeletions = ({ forgetDeletions }: Store, { CHANGES_TTL }: Config): (() => void) => {
  const step = async (): Promise<void> => {
    // Where it fails, the next step does it.
    await Promise.resolve(forgetDeletions(changeAt(Date.now() - CHANGES_TTL * 1_000))).catch(() => {});
  };
  const timer = setInterval(() => void step(), EVERY).unref();
  return () => clearInterval(timer);
};
