import { existsSync } from 'node:fs';
import { openConfiguredStore } from '../../host/service/open-store.ts';
import type { Config } from '../../host/settings/config.ts';
import { isInMemory, isServer, readLocation } from '../../host/settings/database-url.ts';
import type { Store } from '../../store/store.ts';
import { commandError } from './command-error.ts';
import type { CommandContext } from './run.ts';

/**
 * Checks that there is a database, for a command that only reads one: to open a file that is missing would create an empty one.
 *
 * @throws CommandError where the file is missing, or the database is in memory
 */
export const checkDatabaseExists = ({ DATABASE_URL: url }: Config): void => {
  if (isServer(url)) return;
  if (isInMemory(url)) throw commandError('in-memory', {});
  const file = readLocation(url);
  if (!existsSync(file)) throw commandError('file-missing', { file });
};

/**
 * Opens the database, runs some work on it and closes it; services may use it meanwhile.
 *
 * @throws CommandError where it is in memory
 */
export const withStore = async <T>(
  { catalogue, config, note }: Pick<CommandContext, 'catalogue' | 'config' | 'note'>,
  work: (store: Store) => Promise<T>,
): Promise<T> => {
  if (isInMemory(config.DATABASE_URL)) throw commandError('in-memory', {});
  // A store's threads do not keep the process alive, and there may be nothing else to wait for.
  const alive = setInterval(() => {}, 60_000);
  try {
    const store = await openConfiguredStore(config, catalogue, { report: note });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } finally {
    clearInterval(alive);
  }
};
