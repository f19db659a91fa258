import { Worker, type WorkerOptions } from 'node:worker_threads';
import { unavailable } from '../../gateway/port/unavailable.ts';
import { type Answer, fromThreadError, type Question, type Services } from './answer.ts';

export type Thread<S extends Services, Told = never> = ReturnType<typeof threadOf<S, Told>>;

const CLOSED = 'the database is closed';

/** A thread that answers one question after the other; it keeps the process alive only while it has one. */
export const threadOf = <S extends Services, Told = never>(file: URL, options: WorkerOptions) => {
  let worker: Worker | undefined;
  let isTerminated = false;
  let hear = (_: Told): void => {};
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
    /** @throws what the thread has thrown, or Unavailable where it has ended */
    ask: async <K extends keyof S & string>(name: K, args: Parameters<S[K]>): Promise<Awaited<ReturnType<S[K]>>> => {
      if (isTerminated) throw unavailable(new Error(CLOSED));
      const asked = Promise.withResolvers<unknown>();
      worker ??= start();
      waiting.push(asked);
      worker.ref();
      worker.postMessage([name, args] satisfies Question);
      return (await asked.promise) as Awaited<ReturnType<S[K]>>;
    },
    /** @param listener is given what it tells beside its answers */
    listen: (listener: (told: Told) => void): void => {
      hear = listener;
    },
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
      isTerminated = true;
      const ended = worker?.terminate();
      fail(new Error(CLOSED));
      await ended;
    },
  };
};
