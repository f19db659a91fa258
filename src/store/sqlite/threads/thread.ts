import { Worker, type WorkerOptions } from 'node:worker_threads';
import { unavailable } from '../../../gateway/port/unavailable.ts';
import { type Answer, fromThreadError } from './answer.ts';

/**
 * A thread that answers one question after the other; it keeps the process alive only while it has one.
 *
 * @param hear is given what the thread tells beside its answers
 */
export const threadOf = <Question, Told = never>(
  file: URL,
  options: WorkerOptions,
  hear: (message: Told) => void = () => {},
) => {
  let worker: Worker | undefined;
  /** In the order in which it answers. */
  const waiting: PromiseWithResolvers<unknown>[] = [];

  const fail = (error: unknown): void => {
    worker = undefined;
    for (const { reject } of waiting.splice(0)) reject(unavailable(error));
  };
  const start = (): Worker => {
    const started = new Worker(file, options);
    started.on('message', (message: Answer | { readonly told: Told }) => {
      if ('told' in message) return hear(message.told);
      const asked = waiting.shift();
      if ('fault' in message) asked?.reject(fromThreadError(message.fault));
      else asked?.resolve(message.result);
      if (waiting.length === 0) started.unref();
    });
    // What it was asked to do may have been done, or not.
    started.on('error', fail);
    started.on('exit', () => worker === started && fail(new Error('the thread has ended')));
    started.unref();
    return started;
  };
  return {
    /** Starts it before it is asked. */
    start: (): void => {
      worker ??= start();
    },
    /** @param buffers are handed over. @throws what the thread has thrown, or Unavailable where it has ended */
    ask: <R>(question: Question, buffers: readonly ArrayBuffer[] = []): Promise<R> => {
      const asked = Promise.withResolvers<unknown>();
      worker ??= start();
      waiting.push(asked);
      worker.ref();
      worker.postMessage(question, buffers);
      return asked.promise as Promise<R>;
    },
    /** Sends what it waits for while it works on an answer. */
    tell: (message: object): void => worker?.postMessage(message),
    /** Has it close what it has open. Resolves once it has ended. */
    close: async (): Promise<void> => {
      const ended = worker;
      if (!ended) return;
      ended.ref();
      await new Promise((resolve) => {
        ended.once('exit', resolve);
        ended.postMessage('close');
      });
    },
    /** Ends it, whatever it does. */
    terminate: async (): Promise<void> => {
      const ended = worker?.terminate();
      fail(new Error('the database is closed'));
      await ended;
    },
  };
};
