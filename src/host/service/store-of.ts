import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { importQueue, withImportQueue } from '../../store/imports/queue.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../log/log.ts';
import type { Meters } from '../metrics/metrics.ts';
import type { Config } from '../settings/config.ts';
import { openStoreOf } from './open-store.ts';

/** @returns the store, whose imports wait in a queue */
export const storeOf = async (
  catalogue: Catalogue,
  config: Config,
  log: Log,
  languages: number,
  meter?: Meters['store'],
): Promise<Store> => {
  const all = await openStoreOf(config, catalogue, {
    report: log.warn,
    // Of each collection: pages in each language, and items.
    keptBytes: config.CACHE_LIMIT / ((languages + 1) * catalogue.filter(({ parent }) => !parent).length),
    onCommit: meter?.onCommit,
    onKept: meter?.onKept,
  });
  const opened = meter ? meter.measured(all) : all;
  const queue = importQueue(config.CLIENT_SHARE / 100);
  return { ...opened, importRows: withImportQueue(opened.importRows, queue) };
};
