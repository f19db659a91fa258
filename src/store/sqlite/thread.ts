import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads';
import { messageOf, type Reason, Unavailable, unavailable } from '../../gateway/port/unavailable.ts';
import { toUnavailable } from './connection.ts';

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

/** What runs in a thread answers questions in the order in which they come. */

/** An error on its way out of a thread. */
interface ThreadError {
  readonly message: string;
  /** Where the database cannot do its work. */
  readonly reason: Reason | undefined;
}

const toThreadError = (error: unknown): ThreadError => {
  const known = toUnavailable(error);
  return { message: messageOf(known), reason: known instanceof Unavailable ? known.reason : undefined };
};

const fromThreadError = ({ message, reason }: ThreadError): Error =>
  reason === undefined ? new Error(message) : unavailable(new Error(message), reason);

export type Answer = { readonly result: unknown } | { readonly fault: ThreadError };

/** What a thread does, by name. */
export type Services = Readonly<Record<string, (...args: never[]) => unknown>>;
type Question = readonly [name: string, args: readonly unknown[]];

const answerTo = async (services: Services, [name, args]: Question): Promise<Answer> => {
  try {
    return { result: await services[name]?.(...(args as never[])) };
  } catch (error) {
    return { fault: toThreadError(error) };
  }
};

/** @param services may begin with a question before the one before it is answered. @param close is called before the thread ends */
export const answer = (services: Services, close: () => unknown = () => {}): void => {
  let answered: Promise<unknown> = Promise.resolve();
  const end = async (): Promise<void> => {
    await close();
    parentPort?.close();
  };
  parentPort?.on('message', (message: Question | 'close') => {
    const coming = message === 'close' ? undefined : answerTo(services, message);
    answered = answered.then(async () => (coming ? parentPort?.postMessage(await coming) : end()));
  });
};

/** Tells something beside the answers. */
export const tell = <Told>(told: Told): void => parentPort?.postMessage({ told });
