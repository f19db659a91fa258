import type { Catalogue } from './model/catalogue.ts';
import type { ReadLimits } from './store/places.ts';
import type { Store } from './store/port.ts';
import type { PostgresOptions } from './store/postgres/connection/options.ts';
import type { SqliteOptions } from './store/sqlite/connection/options.ts';

export type StoreOptions = PostgresOptions & SqliteOptions & ReadLimits;

export const isServer = (url: string): boolean => /^postgres(?:ql)?:/.test(url);

/** @returns the path that a `sqlite:` URL names, or `:memory:` */
export const locationOf = (url: string): string => url.replace(/^sqlite:(?:\/\/)?/, '');

/**
 * Opens the database that a URL names.
 *
 * @param url `sqlite:<path>`, `sqlite::memory:` or `postgres://…`
 * @param options of a server and of a file; each takes its own
 * @throws DatabaseError where it cannot be used
 */
export const openStore = async (url: string, catalogue: Catalogue, options: StoreOptions = {}): Promise<Store> => {
  // Loaded here, because a process needs only the one driver.
  if (isServer(url)) {
    const { openPostgres } = await import('./store/postgres/store.ts');
    return openPostgres(url, catalogue, options);
  }
  const { openSqlite } = await import('./store/sqlite/store.ts');
  return openSqlite(locationOf(url), catalogue, options);
};
