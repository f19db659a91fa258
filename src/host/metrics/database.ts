/** Metrics of the database, which are the same in all processes that share it. */
import { Registry } from 'prom-client';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Store } from '../../store/store.ts';
import { lastCopyIn } from '../settings/copies.ts';
import { gauge } from './instruments.ts';

/**
 * @param copies a folder of copies, the time of whose newest is measured
 * @returns reads what is in the database, as Prometheus reads it; what is missing shows that the database does not respond
 */
export function databaseMeter(store: Store, catalogue: Catalogue, copies: string | undefined): () => Promise<string> {
  const readContents = async () => {
    const counts = Promise.all(catalogue.map(store.countRows));
    const [size, hooks, rows] = await Promise.all([store.size(), store.hooks.all(), counts]);
    return { size, hooks, rows };
  };
  return async () => {
    // Made anew each time, so that nothing of before is left.
    const registry = new Registry();
    const isReady = await store.ready(true);
    gauge(registry, 'catalogue_database_ready', '1 where the database takes writes.').set(isReady ? 1 : 0);
    const contents = await readContents().catch(() => undefined);
    if (contents) {
      const { size, hooks, rows } = contents;
      const items = gauge(registry, 'catalogue_items', 'Items in a collection.', ['collection']);
      for (const [at, { name: collection }] of catalogue.entries()) items.set({ collection }, rows[at] ?? 0);
      const suspended = hooks.filter(({ state }) => state.isSuspended).length;
      gauge(registry, 'catalogue_hooks_suspended', 'Web hooks that are suspended.').set(suspended);
      gauge(registry, 'catalogue_database_bytes', 'Bytes of the database.').set(size.bytes);
      if (size.walBytes !== undefined)
        gauge(registry, 'catalogue_database_log_bytes', 'Bytes of SQLite’s write-ahead log.').set(size.walBytes);
    }
    if (copies !== undefined) {
      const help = 'Time of the newest copy, 0 without one.';
      gauge(registry, 'catalogue_last_backup_timestamp_seconds', help).set(lastCopyIn(copies));
    }
    return registry.metrics();
  };
}
