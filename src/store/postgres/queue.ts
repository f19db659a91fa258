import { BATCH, PATIENCE, type Settled, settle, unavailable, type Waiting } from '../commit-queue.ts';
import type { Intent, Outcome } from '../port.ts';

interface Queue {
  readonly write: (intent: Intent) => Promise<Outcome>;
  /** Resolves once nothing waits; from now on nothing more is taken. */
  readonly drain: () => Promise<void>;
}

/**
 * Group commit over a network: one transaction at a time, and what arrives while it is on its way becomes the next.
 *
 * @param commit writes a batch; never rejects
 */
export const remoteQueue = (commit: (intents: readonly Intent[]) => Promise<readonly Settled[]>): Queue => {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let isClosed = false;

  /** Those that have waited in vain for so long that their clients should know. */
  const giveUp = (): void => {
    const deadline = performance.now() - PATIENCE;
    const late = waiting.filter(({ since }) => since < deadline);
    waiting = waiting.filter(({ since }) => since >= deadline);
    for (const { reject } of late) reject(unavailable(new Error('too many writes wait for the database')));
  };
  const run = async (): Promise<void> => {
    // What arrives in one turn of the event loop goes together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      settle(batch, await commit(batch.map(({ intent }) => intent)));
      giveUp();
    }
    running = undefined;
  };

  return {
    write: (intent) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(unavailable(new Error('the database is closed')));
          return;
        }
        waiting.push({ intent, since: performance.now(), resolve, reject });
        running ??= run();
      }),
    drain: async () => {
      isClosed = true;
      await running;
    },
  };
};
