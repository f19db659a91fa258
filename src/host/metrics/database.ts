/** Metrics of the database, which are the same in all processes that share it. */
import type { Catalogue, Collection } from '../../gateway/model/catalogue.ts';
import type { Store } from '../../store/store.ts';
import { type Collect, type Family, gauge } from './family.ts';

/** Milliseconds for which the number of rows in a nested collection is cached: counting reads all of them. */
const KEPT = 60_000;

export const databaseMeter = (store: Store, catalogue: Catalogue): Collect => {
  const counted = new Map<Collection, { readonly at: number; readonly rows: number }>();

  const rowsOf = async (collection: Collection): Promise<number> => {
    const known = counted.get(collection);
    if (collection.parent && known && performance.now() - known.at < KEPT) return known.rows;
    const rows = await store.countRows(collection);
    counted.set(collection, { at: performance.now(), rows });
    return rows;
  };
  const contents = async (): Promise<readonly Family[]> => {
    const [size, hooks, ...rows] = await Promise.all([store.size(), store.hooks.all(), ...catalogue.map(rowsOf)]);
    const suspended = hooks.filter(({ state }) => state.isSuspended).length;
    const { bytes, walBytes } = size;
    return [
      gauge(
        'catalogue_items',
        'Items in a collection; of a nested one, a minute ago at the most.',
        catalogue.map(({ name }, at) => [{ collection: name }, rows[at] ?? 0]),
      ),
      gauge('catalogue_hooks_suspended', 'Web hooks that are suspended.', suspended),
      gauge('catalogue_database_bytes', 'Bytes of the database.', bytes),
      ...(walBytes === undefined
        ? []
        : [gauge('catalogue_database_log_bytes', 'Bytes of SQLite’s write-ahead log.', walBytes)]),
    ];
  };
  return async () => {
    const isReady = await store.ready(true);
    const ready = gauge('catalogue_database_ready', '1 where the database takes writes.', isReady ? 1 : 0);
    try {
      return [ready, ...(await contents())];
    } catch {
      // The missing metrics show that the database does not respond.
      return [ready];
    }
  };
};
