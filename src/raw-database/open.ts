import type { Catalogue } from '../model/catalogue.ts';
import { isServer, locationOf } from '../settings/database-url.ts';
import type { RawDatabase } from './raw-database.ts';

/**
 * @param url `sqlite:<path>` or `postgres://…`
 * @param isSource whether the database must exist, and is not changed
 */
export const openRawDatabase = async (url: string, catalogue: Catalogue, isSource: boolean): Promise<RawDatabase> => {
  // Loaded here, because a command may need only the one driver.
  if (isServer(url)) return (await import('./postgres.ts')).openRawPostgres(url, catalogue);
  return (await import('./sqlite.ts')).openRawSqlite(locationOf(url), catalogue, isSource);
};
