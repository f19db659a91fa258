import { setTimeout as sleep } from 'node:timers/promises';
import { aggregated, countersOf, type Family } from '../metrics/family.ts';

/** Milliseconds that a worker may take to report its metrics; then its last report counts. */
const GIVE_UP_MS = 2_000;

/** Collects the metrics of all workers. */
export type Metering = ReturnType<typeof metering>;

export const metering = (giveUpMs = GIVE_UP_MS) => {
  const asks = new Map<number, () => void>();
  const awaited = new Map<number, () => void>();
  const last = new Map<number, readonly Family[]>();
  /** The counters of ended workers, as of their last reports. */
  let ended: readonly Family[] = [];

  const answered = (worker: number): void => {
    awaited.get(worker)?.();
    awaited.delete(worker);
  };
  const answerOf = ([worker, ask]: readonly [number, () => void]): Promise<void> =>
    new Promise((resolve) => {
      awaited.set(worker, resolve);
      ask();
    });
  return {
    /** @param ask has the worker tell what it has measured */
    started: (worker: number, ask: () => void): void => void asks.set(worker, ask),
    measured: (worker: number, families: readonly Family[]): void => {
      last.set(worker, families);
      answered(worker);
    },
    gone: (worker: number): void => {
      ended = aggregated([ended, countersOf(last.get(worker) ?? [])]);
      asks.delete(worker);
      last.delete(worker);
      answered(worker);
    },
    collect: async (): Promise<readonly Family[]> => {
      const late = sleep(giveUpMs, undefined, { ref: false });
      await Promise.race([Promise.all([...asks].map(answerOf)), late]);
      return aggregated([ended, ...last.values()]);
    },
  };
};
