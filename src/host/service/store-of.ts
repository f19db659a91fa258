import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { importQueue, withImportQueue } from '../../store/imports/queue.ts';
import { DEFAULT_POOL } from '../../store/postgres/connection/options.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../log/log.ts';
import type { Meters } from '../metrics/metrics.ts';
import type { Config } from '../settings/config.ts';
import type { PrimaryServices } from '../workers/worker-link.ts';
import { openStoreOf } from './open-store.ts';

/** @returns the store, of which a worker leaves writes to the primary */
export const storeOf = async (
  catalogue: Catalogue,
  config: Config,
  log: Log,
  languages: number,
  meter?: Meters['store'],
  primary?: PrimaryServices,
): Promise<Store> => {
  const { DATABASE_POOL = DEFAULT_POOL, WORKERS } = config;
  const all = await openStoreOf(config, catalogue, {
    // All workers together have as many connections to a server as one process would.
    pool: Math.ceil(DATABASE_POOL / WORKERS),
    report: log.warn,
    // Of each collection: pages in each language, and items.
    keptBytes: config.CACHE_LIMIT / ((languages + 1) * catalogue.filter(({ parent }) => !parent).length),
    onCommit: meter?.onCommit,
    onKept: meter?.onKept,
  });
  const opened = meter ? meter.measured(all) : all;
  const queue = importQueue(config.CLIENT_SHARE / 100, WORKERS);
  const store = { ...opened, importRows: withImportQueue(opened.importRows, queue) };
  if (!primary) return store;
  const ready: Store['ready'] = async (toWrite) => (await opened.ready()) && (!toWrite || primary.ready());
  return { ...store, write: primary.write, ready };
};
