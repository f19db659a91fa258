import { Worker } from 'node:worker_threads';
import type { Catalogue } from '../../model/catalogue.ts';
import type { Settled } from '../commit-queue.ts';
import type { Intent, Outcome } from '../port.ts';
import { unavailable } from '../unavailable.ts';

/** What the thread is started with. */
export interface Work {
  readonly location: string;
  readonly catalogue: Catalogue;
}

/** A batch to commit; `undefined` closes the connection. */
export type WriterRequest = readonly Intent[] | undefined;

export interface Fault {
  readonly message: string;
  readonly isUnavailable: boolean;
}

/** The outcome of each intent, `undefined` where another process holds the lock; or why all of them failed. */
export type WriterResponse =
  | { readonly settled: readonly (Outcome | { readonly kind: 'failed'; readonly fault: Fault })[] | undefined }
  | { readonly fault: Fault };

export interface Writer {
  readonly commit: (intents: readonly Intent[]) => Promise<readonly Settled[] | undefined>;
  /** Resolves once the thread's connection is closed. */
  readonly close: () => Promise<void>;
}

const errorOf = ({ message, isUnavailable }: Fault): Error =>
  isUnavailable ? unavailable(new Error(message)) : new Error(message);

/**
 * A thread that writes, so that neither the disk nor the upkeep of nine indexes per row blocks the event loop. The first
 * write starts it.
 *
 * @param work the database's file, and what it keeps
 */
export const writerThread = (work: Work): Writer => {
  let worker: Worker | undefined;
  let waiting:
    | { readonly resolve: (answer: WriterResponse) => void; readonly reject: (error: unknown) => void }
    | undefined;

  const start = (): Worker => {
    const started = new Worker(new URL('./writer-worker.ts', import.meta.url), { workerData: work });
    started.on('message', (answer: WriterResponse) => waiting?.resolve(answer));
    started.on('error', (error) => {
      worker = undefined;
      // The writes may have been done, or not.
      waiting?.reject(unavailable(error));
    });
    return started;
  };
  const ask = async (question: WriterRequest): Promise<WriterResponse> => {
    worker ??= start();
    const thread = worker;
    // A thread keeps the process alive only while it has something to write.
    thread.ref();
    try {
      return await new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        thread.postMessage(question);
      });
    } finally {
      waiting = undefined;
      thread.unref();
    }
  };

  return {
    commit: async (intents) => {
      const answer = await ask(intents);
      if ('fault' in answer) throw errorOf(answer.fault);
      return answer.settled?.map((each) =>
        each.kind === 'failed' ? { kind: 'failed', error: errorOf(each.fault) } : each,
      );
    },
    close: async () => {
      if (!worker) return;
      worker.ref();
      const thread = worker;
      await new Promise((resolve) => {
        thread.once('exit', resolve);
        thread.postMessage(undefined satisfies WriterRequest);
      });
    },
  };
};
