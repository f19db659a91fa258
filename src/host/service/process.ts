import { isatty } from 'node:tty';
import { DatabaseError } from '../../store/store.ts';
import { FaultsError } from '../../util/faults-error.ts';
import type { Log } from '../log/log.ts';

/** @returns lines for the operator: only the message of a fault that they can fix, the whole stack of a bug */
export function explain(error: unknown): readonly string[] {
  if (error instanceof FaultsError) return error.faults;
  if (error instanceof DatabaseError) return [error.message];
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
}

export async function startOrExit<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    for (const line of explain(error)) process.stderr.write(`${line}\n`);
    process.exit(1);
  }
}

export function endOnSignals(stop: () => Promise<void>, log: Log): void {
  let isStopping = false;
  const end = async (signal: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    log.info(`stopping on ${signal}`);
    await stop();
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // A terminal that closes ends what it has started; a service under `nohup` goes on.
  process.on('SIGHUP', (signal) => void (isatty(0) && end(signal)));
  // Writes by others, such as Node's warnings, must not end the process either.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.on('uncaughtException', (error) => {
    log.error('uncaught error, the process ends', error);
    process.exit(1);
  });
}
