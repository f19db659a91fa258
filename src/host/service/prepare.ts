/** What a process reads and opens before it serves. */

import type { Locale } from '../../gateway/locale/table.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { isLoopback } from '../access/browsers.ts';
import type { Log } from '../log/log.ts';
import type { Config } from '../settings/config.ts';
import { isServer } from '../settings/database-url.ts';
import { localesOf, partsLeftOut } from '../tables/load.ts';

/** @throws LocaleError */
export const readLocales = (catalogue: Catalogue, config: Config, log: Log): readonly Locale[] => {
  const locales = localesOf(catalogue, config, log.warn);
  for (const line of partsLeftOut(locales, config.DEFAULT_LANGUAGE)) log.info(line);
  return locales;
};

export const warnOfAccess = ({ ACCESS, HOST, RATE_LIMIT, DATABASE_URL }: Config, log: Log): void => {
  if (RATE_LIMIT !== undefined && isServer(DATABASE_URL)) {
    log.info(
      `RATE_LIMIT=${RATE_LIMIT}: each instance counts for itself, so a client may send as many requests to every one of them`,
    );
  }
  if (ACCESS !== 'open' || isLoopback(HOST)) return;
  log.warn(`HOST=${HOST} ACCESS=open: whoever reaches the service may write; ACCESS=write asks for a key`);
};
