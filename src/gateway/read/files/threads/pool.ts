import { Worker } from 'node:worker_threads';
import { idlePool } from '../../../../util/idle.ts';
import type { ReadingData } from './messages.ts';

/** Mebibytes of new objects, nearly all of which are garbage soon. */
const YOUNG = 8;
/** Idle threads that are kept, so that small files need not wait until one has started. */
const IDLE = 2;

/** @param heap mebibytes that a thread may have. @returns threads that read, one thing at a time each */
export const poolOf = (workerData: ReadingData, heap: number) => {
  const start = (): Worker => {
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: YOUNG },
    });
    // Whoever waits for it hears of it, too.
    return worker.on('error', () => forget(worker)).on('exit', () => forget(worker));
  };
  const { forget, ...pool } = idlePool(IDLE, start, (worker) => worker.terminate());
  return {
    take: pool.take,
    giveBack: (worker: Worker): void => {
      worker.unref();
      pool.giveBack(worker);
    },
  };
};
