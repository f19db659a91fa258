import { setTimeout as sleep } from 'node:timers/promises';
import { aggregated, type Collect, countersOf, type Family } from '../metrics/family.ts';

/** Milliseconds that a worker may take to report its metrics; then its last report counts. */
const GIVE_UP_MS = 2_000;

/** Sums up the metrics of all workers, those that have ended included. */
export const metering = (giveUpMs = GIVE_UP_MS) => {
  const last = new Map<number, readonly Family[]>();
  /** The counters of ended workers, as of their last reports. */
  let ended: readonly Family[] = [];
  return {
    gone: (worker: number): void => {
      ended = aggregated([ended, countersOf(last.get(worker) ?? [])]);
      last.delete(worker);
    },
    /** @param workers each with what has it tell what it has measured, which fails where it ends meanwhile */
    collect: async (workers: Iterable<readonly [worker: number, measure: Collect]>): Promise<readonly Family[]> => {
      const reports = [...workers].map(async ([worker, measure]) => last.set(worker, await measure()));
      await Promise.race([Promise.allSettled(reports), sleep(giveUpMs, undefined, { ref: false })]);
      return aggregated([ended, ...last.values()]);
    },
  };
};
