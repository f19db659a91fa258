import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { PostgresOptions } from '../../store/postgres/store.ts';
import type { SqliteOptions } from '../../store/sqlite/store.ts';
import { DatabaseError, nameSettingInErrors, type Store } from '../../store/store.ts';
import type { Config } from '../settings/config.ts';
import { isServer, readLocation } from '../settings/database-url.ts';

export type StoreOptions = PostgresOptions & SqliteOptions;

export function createKeyAssigner(identifiers: Config['IDENTIFIERS']): () => string {
  return identifiers === 'uuid' ? randomUUID : () => nanoid();
}

/** Opens the database that a URL names. @throws DatabaseError if it cannot be used */
export async function openStore(url: string, catalogue: Catalogue, options: StoreOptions = {}): Promise<Store> {
  // The stores are loaded here, because a process needs only one driver.
  if (isServer(url)) {
    const { openPostgres } = await import('../../store/postgres/store.ts').catch((error: Error) => {
      const isMissing = /^Cannot find package 'pg'/.test(error.message);
      throw isMissing ? new DatabaseError('PostgreSQL needs the package pg: npm install pg', { cause: error }) : error;
    });
    return openPostgres(url, catalogue, options);
  }
  const { openSqlite } = await import('../../store/sqlite/store.ts');
  return openSqlite(readLocation(url), catalogue, options);
}

/** Opens the database of the settings. @throws DatabaseError if it cannot be used, which names the setting */
export function openConfiguredStore(config: Config, catalogue: Catalogue, own: StoreOptions): Promise<Store> {
  const options = {
    pool: config.DATABASE_POOL,
    timeout: config.DATABASE_TIMEOUT,
    prepare: config.DATABASE_PREPARE,
    listTimeout: config.LIST_TIMEOUT,
    walLimit: config.DATABASE_LOG_LIMIT,
    clientShare: config.CLIENT_SHARE / 100,
  };
  return nameSettingInErrors('DATABASE_URL', () => openStore(config.DATABASE_URL, catalogue, { ...options, ...own }));
}
