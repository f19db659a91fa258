import type { BoundedCache } from '../../../model/bounded-cache.ts';
import type { Collection } from '../../../model/catalogue.ts';
import { renderedCache } from '../../kept/rendered-cache.ts';
import { selectChanged } from '../../sql/items.ts';
import { statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import type { Connection } from '../connection/connection.ts';

/** Rows of one collection, rendered, by the number of their creation. */
export interface RenderedRows extends Pick<BoundedCache<number, Uint8Array>, 'get' | 'set' | 'isFull'> {
  /** Forgets what has changed. To be called in a snapshot, before anything is taken for it or added from it. */
  readonly revalidate: () => void;
}

/** Changed rows that are looked up one by one; after more, as an import makes them, nothing is kept. */
const CHANGES_LIMIT = 1_000;

const numberOf = (connection: Connection, sql: string): number => connection.row<[number]>(sql, [])?.[0] ?? 0;

/**
 * A rendered row is current as long as the row has the revision that it was rendered from. What has a later one is found
 * through the index of revisions, whichever process wrote it. A deleted row needs no look: no list has its number any more.
 *
 * @param room bytes of all rows together
 * @param readVersion a statement whose result differs after every commit
 */
export const renderedRows = (
  main: Connection,
  collection: Collection,
  room: number,
  readVersion: string,
): RenderedRows => {
  const rows = renderedCache<number>(room);
  const changed = selectChanged(collection, CHANGES_LIMIT + 1);
  let version: number | undefined;
  let last = 0;

  return {
    get: rows.get,
    set: rows.set,
    isFull: rows.isFull,
    revalidate: () => {
      const now = numberOf(main, readVersion);
      if (now === version) return;
      const change = numberOf(main, readChange);
      const found = change > last ? main.rows<[number]>(statement(changed, [last])) : [];
      // Nothing has a later revision where another program wrote that knows of none.
      if (change <= last || found.length > CHANGES_LIMIT) rows.clear();
      else for (const [created] of found) rows.delete(created);
      // Only now: a look that failed is done again.
      version = now;
      last = change;
    },
  };
};
