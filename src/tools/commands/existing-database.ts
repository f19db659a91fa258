import { existsSync } from 'node:fs';
import type { Config } from '../../host/settings/config.ts';
import { isInMemory, isServer, locationOf } from '../../host/settings/database-url.ts';
import { commandError } from './command-error.ts';

/**
 * Checks that there is a database, for a command that only reads one: to open a file that is missing would create an empty one.
 *
 * @throws CommandError where the file is missing, or the database is in memory
 */
export const checkDatabaseExists = ({ DATABASE_URL: url }: Config): void => {
  if (isServer(url)) return;
  if (isInMemory(url)) throw commandError('in-memory', {});
  const file = locationOf(url);
  if (!existsSync(file)) throw commandError('file-missing', { file });
};
