/** What runs in a thread answers one question after the other. */
import { parentPort } from 'node:worker_threads';
import { type Reason, Unavailable, unavailable } from '../../../gateway/port/unavailable.ts';
import { toUnavailable } from '../connection/errors.ts';

/** An error on its way out of a thread. */
export interface ThreadError {
  readonly message: string;
  /** Where the database cannot do its work. */
  readonly reason: Reason | undefined;
}

const toThreadError = (error: unknown): ThreadError => {
  const known = toUnavailable(error);
  const message = error instanceof Error ? error.message : String(error);
  return { message, reason: known instanceof Unavailable ? known.reason : undefined };
};

export const fromThreadError = ({ message, reason }: ThreadError): Error =>
  reason === undefined ? new Error(message) : unavailable(new Error(message), reason);

export type Answer = { readonly result: unknown } | { readonly fault: ThreadError };

const answerTo = <Question>(question: Question, respond: (question: Question) => unknown): Answer => {
  try {
    return { result: respond(question) };
  } catch (error) {
    return { fault: toThreadError(error) };
  }
};

/** @param close is called before the thread ends */
export const answer = <Question>(respond: (question: Question) => unknown, close: () => void = () => {}): void =>
  void parentPort?.on('message', (message: Question | 'close') => {
    if (message !== 'close') return parentPort?.postMessage(answerTo(message as Question, respond));
    close();
    parentPort?.close();
  });

/** Tells something beside the answers. */
export const tell = <Told>(told: Told): void => parentPort?.postMessage({ told });
