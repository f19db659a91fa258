import { commandError } from './command-error.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Lets the operator interrupt some work, which then leaves nothing behind.
 *
 * @throws CommandError where that has happened
 */
export const interruptible = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? commandError('work-interrupted', {}, error) : error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
};
