import { Worker } from 'node:worker_threads';
import type { Catalogue } from '../../../model/catalogue.ts';
import type { Settled } from '../../commit-queue.ts';
import type { Intent, Outcome } from '../../port.ts';
import { unavailable } from '../../unavailable.ts';
import { fromThreadError, type ThreadError } from './thread-error.ts';

/** What the thread is started with. */
export interface Work {
  readonly location: string;
  readonly catalogue: Catalogue;
}

/** A batch to commit; or to fold the log, to try whether anything can be written, or to close the connection. */
export type WriterRequest = readonly Intent[] | 'fold' | 'try' | 'close';

/** The outcome of each intent, `undefined` where another process holds the lock; whether other work was done; or why it failed. */
export type WriterResponse =
  | { readonly settled: readonly (Outcome | { readonly kind: 'failed'; readonly fault: ThreadError })[] | undefined }
  | { readonly isDone: boolean }
  | { readonly fault: ThreadError };

export interface Writer {
  readonly commit: (intents: readonly Intent[]) => Promise<readonly Settled[] | undefined>;
  /** Folds the log into the database. @returns whether nothing prevented it */
  readonly fold: () => Promise<boolean>;
  /** Writes no item. @returns whether the lock was free. @throws as `commit` does */
  readonly tryWriting: () => Promise<boolean>;
  /** Resolves once the thread's connection is closed. */
  readonly close: () => Promise<void>;
}

/**
 * A thread that writes, so that neither the disk nor the upkeep of nine indexes per row blocks the event loop. The first
 * write starts it.
 *
 * @param work the database's file, and what it keeps
 */
export const writerThread = (work: Work): Writer => {
  let worker: Worker | undefined;
  /** In the order in which the thread responds. */
  let waiting: { readonly resolve: (response: WriterResponse) => void; readonly reject: (error: unknown) => void }[] =
    [];

  const start = (): Worker => {
    const started = new Worker(new URL('./writer-worker.ts', import.meta.url), { workerData: work });
    started.on('message', (response: WriterResponse) => {
      waiting.shift()?.resolve(response);
      if (waiting.length === 0) started.unref();
    });
    started.on('error', (error) => {
      worker = undefined;
      // The writes may have been done, or not.
      for (const { reject } of waiting) reject(unavailable(error));
      waiting = [];
    });
    return started;
  };
  const ask = (question: WriterRequest): Promise<WriterResponse> =>
    new Promise((resolve, reject) => {
      worker ??= start();
      waiting.push({ resolve, reject });
      // A thread keeps the process alive only while it has something to do.
      worker.ref();
      worker.postMessage(question);
    });

  const doing = async (request: 'fold' | 'try'): Promise<boolean> => {
    const response = await ask(request);
    if ('fault' in response) throw fromThreadError(response.fault);
    return 'isDone' in response && response.isDone;
  };

  return {
    commit: async (intents) => {
      const response = await ask(intents);
      if ('fault' in response) throw fromThreadError(response.fault);
      const settled = 'settled' in response ? response.settled : undefined;
      return settled?.map((each) =>
        each.kind === 'failed' ? { kind: 'failed', error: fromThreadError(each.fault) } : each,
      );
    },
    fold: () => doing('fold'),
    tryWriting: () => doing('try'),
    close: async () => {
      if (!worker) return;
      worker.ref();
      const thread = worker;
      await new Promise((resolve) => {
        thread.once('exit', resolve);
        thread.postMessage('close' satisfies WriterRequest);
      });
    },
  };
};
