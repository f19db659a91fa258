import { isatty } from 'node:tty';
import { DatabaseError } from '../../store/store.ts';
import { FaultsError } from '../../util/faults-error.ts';
import type { Log } from '../log/log.ts';
import type { Service } from './service.ts';

/** @returns lines for the operator: only the message of a fault that they can fix, the whole stack of a bug */
export const explain = (error: unknown): readonly string[] => {
  if (error instanceof FaultsError) return error.faults;
  if (error instanceof DatabaseError) return [error.message];
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
};

/**
 * Starts the service. If that fails, prints the reason and exits with code 1.
 */
export const startOrExit = async <T>(start: () => Promise<T>): Promise<T> => {
  try {
    return await start();
  } catch (error) {
    for (const line of explain(error)) process.stderr.write(`${line}\n`);
    process.exit(1);
  }
};

/** On an uncaught error the process exits at once, with code 1. */
const endOnError = (log: Log): void => {
  // What others write there, such as Node's warnings, must not end the process either.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.on('uncaughtException', (error) => {
    log.error('uncaught error, the process ends', error);
    process.exit(1);
  });
};

/** On SIGTERM or SIGINT the service is stopped and the process exits with code 0; on SIGHUP, too, where a terminal is its input. */
export const endWith = ({ stop }: Pick<Service, 'stop'>, log: Log, reload: () => Promise<void>): void => {
  let stopping = false;
  const end = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info(`stopping on ${signal}`);
    await stop();
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('SIGHUP', isatty(0) ? end : reload);
  endOnError(log);
};
