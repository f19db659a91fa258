import { Worker } from 'node:worker_threads';
import type { ReadingData } from './messages.ts';

/** Mebibytes of new objects, nearly all of which are garbage soon. */
const YOUNG = 8;
/** Idle threads that are kept, for so many milliseconds, so that small files need not wait until one has started. */
const IDLE = 2;
const IDLE_MS = 20_000;

/** Threads that read; each reads one thing at a time. */
export interface Pool {
  /** @returns an idle thread, or a new one */
  readonly take: () => Worker;
  readonly giveBack: (worker: Worker) => void;
}

/** @param heap mebibytes that a thread may have */
export const poolOf = (workerData: ReadingData, heap: number): Pool => {
  const idle = new Map<Worker, NodeJS.Timeout>();
  const start = (): Worker => {
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: YOUNG },
    });
    // Whoever waits for it hears of it, too.
    return worker.on('error', () => idle.delete(worker)).on('exit', () => idle.delete(worker));
  };
  return {
    take: () => {
      const [worker] = idle.keys();
      if (!worker) return start();
      clearTimeout(idle.get(worker));
      idle.delete(worker);
      return worker;
    },
    giveBack: (worker) => {
      worker.unref();
      const forget = (): void => {
        idle.delete(worker);
        void worker.terminate();
      };
      if (idle.size >= IDLE) forget();
      else idle.set(worker, setTimeout(forget, IDLE_MS).unref());
    },
  };
};
