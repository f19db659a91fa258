/** What runs in a thread answers one question after the other. */
import { parentPort } from 'node:worker_threads';
import { type ThreadError, toThreadError } from './thread-error.ts';

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
