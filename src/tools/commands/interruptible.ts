import { commandError } from './command-error.ts';

/**
 * Lets the operator interrupt some work, which then leaves nothing behind.
 *
 * @throws CommandError where that has happened
 */
export const interruptible = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort());
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? commandError('work-interrupted', {}, error) : error;
  }
};
