/** What runs in a thread answers questions in the order in which they come. */
import { parentPort } from 'node:worker_threads';
import { messageOf, type Reason, Unavailable, unavailable } from '../../gateway/port/unavailable.ts';
import { toUnavailable } from '../sqlite/connection/errors.ts';

/** An error on its way out of a thread. */
export interface ThreadError {
  readonly message: string;
  /** Where the database cannot do its work. */
  readonly reason: Reason | undefined;
}

const toThreadError = (error: unknown): ThreadError => {
  const known = toUnavailable(error);
  return { message: messageOf(known), reason: known instanceof Unavailable ? known.reason : undefined };
};

export const fromThreadError = ({ message, reason }: ThreadError): Error =>
  reason === undefined ? new Error(message) : unavailable(new Error(message), reason);

export type Answer = { readonly result: unknown } | { readonly fault: ThreadError };

/** What a thread does, by name. */
export type Services = Readonly<Record<string, (...args: never[]) => unknown>>;
export type Question = readonly [name: string, args: readonly unknown[]];

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
