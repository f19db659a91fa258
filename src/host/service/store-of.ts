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
  meter?: Meters['store'],
): Promise<Store> => {
  const all = await openStoreOf(config, catalogue, {
    report: log.warn,
    cacheBytes: config.CACHE_LIMIT,
    onCommit: meter?.onCommit,
  });
  const opened = meter ? meter.measured(all) : all;
  const queue = importQueue(config.CLIENT_SHARE / 100);
  return { ...opened, importRows: withImportQueue(opened.importRows, queue) };
};
