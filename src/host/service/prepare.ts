/** What a process reads and opens before it serves. */

import type { Locale } from '../../gateway/locale/table.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { DEFAULT_POOL } from '../../store/postgres/connection/options.ts';
import type { Store } from '../../store/store.ts';
import { isLoopback } from '../access/browsers.ts';
import type { Log } from '../log/log.ts';
import type { Config } from '../settings/config.ts';
import { loadLocales, partsLeftOut } from '../tables/load.ts';
import { openStoreOf, type StoreOptions } from './open-store.ts';

/** @throws LocaleError */
export const readLocales = (catalogue: Catalogue, config: Config, log: Log): readonly Locale[] => {
  const locales = loadLocales(catalogue, config.LOCALES_DIR, config.DEFAULT_LANGUAGE, log.warn);
  for (const line of partsLeftOut(locales, config.DEFAULT_LANGUAGE)) log.info(line);
  return locales;
};

/** @returns how many connections to a server a process may have, where all workers have as many as one process would */
export const shareOfPool = ({ DATABASE_POOL: all = DEFAULT_POOL, WORKERS }: Config): number => Math.ceil(all / WORKERS);

/**
 * @param pool connections, to a server
 * @throws DatabaseError
 */
export const openConfiguredStore = (
  catalogue: Catalogue,
  config: Config,
  log: Log,
  pool: number,
  options: StoreOptions = {},
): Promise<Store> => openStoreOf(config, catalogue, { pool, report: log.warn, ...options });

export const warnOfAccess = ({ ACCESS, HOST }: Config, log: Log): void => {
  if (ACCESS !== 'open' || isLoopback(HOST)) return;
  log.warn(`HOST=${HOST} ACCESS=open: whoever reaches the service may write; ACCESS=write asks for a key`);
};
