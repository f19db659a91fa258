import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { ReadOptions } from '../read-options.ts';
import type { Store } from '../store.ts';
import type { SqliteOptions } from './connection/options.ts';
import { fileStore } from './file-store.ts';
import { openDatabase } from './schema/open-database.ts';
import { checkFile, withoutLog } from './schema/schema.ts';

const MEMORY = ':memory:';

/**
 * Opens the embedded database, creating what is missing.
 *
 * @param location a file's path, its folder created where missing; or `:memory:`
 * @param catalogue what it keeps
 * @throws DatabaseError where it cannot be used, with the reason; what is there is left untouched
 */
export const openSqlite = async (
  location: string,
  catalogue: Catalogue,
  options: SqliteOptions & ReadOptions = {},
): Promise<Store> => {
  if (location === MEMORY) {
    // Loaded here, because it writes by itself: a file has a thread for that.
    const { memoryStore } = await import('./memory-store.ts');
    return memoryStore(openDatabase(location, catalogue, options), catalogue, options);
  }
  const check = (): void => {
    if (!existsSync(location)) mkdirSync(dirname(resolve(location)), { recursive: true });
    else if (checkFile(location)) options.report?.(`${location}: ${withoutLog(location)}`);
  };
  return fileStore(openDatabase(location, catalogue, options, check), location, catalogue, options);
};
