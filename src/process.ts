import { ConfigError } from './config.ts';
import { LocaleError } from './locale/check.ts';
import type { Log } from './log.ts';
import { ListenError, type Service } from './service.ts';
import { DatabaseError } from './store/database-error.ts';

/** @returns what an operator reads: the lines of a fault that is theirs to mend, or all there is to know of one in the code */
const explain = (error: unknown): readonly string[] => {
  if (error instanceof ConfigError || error instanceof LocaleError) return error.faults;
  if (error instanceof DatabaseError || error instanceof ListenError) return [error.message];
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
};

/**
 * Runs a start, or says why it failed and ends the process with exit code 1.
 *
 * @param start everything up to the first request
 */
export const startOrExit = async <T>(start: () => Promise<T>): Promise<T> => {
  try {
    return await start();
  } catch (error) {
    for (const line of explain(error)) process.stderr.write(`${line}\n`);
    process.exit(1);
  }
};

/** SIGTERM and SIGINT end the process with exit code 0 once the service has stopped; an uncaught error with 1, at once. */
export const endWith = (service: Service, log: Log): void => {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info(`stopping on ${signal}`);
    await service.stop();
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('uncaughtException', (error) => {
    log.error('uncaught error, the process ends', error);
    process.exit(1);
  });
};
