import type { Collection } from '../../../model/catalogue.ts';
import type { ListFormat } from '../../port.ts';
import { type RowCache, rowCache } from '../../row-cache/row-cache.ts';
import { selectChanged } from '../../sql/items.ts';
import { statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import type { Connection } from '../connection/connection.ts';

/** Rows of one collection, rendered, by the number of their creation. */
export interface RenderedRows extends Pick<RowCache<number>, 'find' | 'add' | 'page' | 'isFull'> {
  /**
   * Removes rows that have changed. To be called in each snapshot before rows are found or added.
   *
   * @returns the change number of the snapshot
   */
  readonly revalidate: () => number;
}

/** The most changed rows that are removed one by one; after more, as of an import, the cache is cleared. */
const CHANGES_LIMIT = 1_000;

const numberOf = (connection: Connection, sql: string): number => connection.row<[number]>(sql, [])?.[0] ?? 0;

/** The low bits, by which numbers of some hours differ. */
const lowBits = (created: number): number => created | 0;

/**
 * A rendered row is current as long as the row still has the same revision. Rows with later ones are found by the index of
 * revisions, whichever process wrote them. Deleted rows need no check: no list contains their numbers any more.
 *
 * @param capacity bytes of all rows together
 * @param readVersion a statement whose result differs after every commit
 */
export const renderedRows = (
  main: Connection,
  collection: Collection,
  format: ListFormat,
  capacity: number,
  readVersion: string,
): RenderedRows => {
  const rows = rowCache(format, capacity, lowBits);
  const changed = selectChanged(collection, CHANGES_LIMIT + 1);
  let version: number | undefined;
  let last = 0;

  return {
    ...rows,
    revalidate: () => {
      rows.beginPage();
      const now = numberOf(main, readVersion);
      if (now === version) return last;
      const change = numberOf(main, readChange);
      const found = change > last ? main.rows<[number]>(statement(changed, [last])) : [];
      // Another program may have written without revisions: then no row has a later one.
      if (change <= last || found.length > CHANGES_LIMIT) rows.clear();
      else for (const [created] of found) rows.delete(created);
      // Set last, so that a check that failed is repeated.
      version = now;
      last = change;
      return last;
    },
  };
};
