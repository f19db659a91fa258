import type { Collection } from '../../../model/catalogue.ts';
import type { ListFormat } from '../../port.ts';
import { type RowCache, rowCache } from '../../row-cache.ts';
import { selectChanged } from '../../sql/items.ts';
import { statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import type { Connection } from '../connection/connection.ts';
import { numberOf } from './snapshots.ts';

/** Rows of one collection in one format, by the number of their creation. */
export interface KeptRows extends Pick<RowCache<number>, 'find' | 'add' | 'page' | 'isFull'> {
  /**
   * Forgets rows that have changed. To be called in each snapshot before rows are found or added.
   *
   * @returns the change number of the snapshot
   */
  readonly refresh: () => number;
}

/** The most changed rows that are forgotten one by one; after more, as of an import, all are. */
const CHANGES_LIMIT = 1_000;

/** The low bits, by which numbers of some hours differ. */
const lowBits = (created: number): number => created | 0;

/**
 * A row is current as long as it has the same revision. Rows with later ones are found by the index of revisions, whichever
 * process wrote them. Deleted rows need no check: no list contains their numbers any more.
 *
 * @param capacity bytes of all rows together
 * @param version a statement whose result differs after every commit
 */
export const keptRows = (
  main: Connection,
  collection: Collection,
  format: ListFormat,
  capacity: number,
  version: string,
): KeptRows => {
  const rows = rowCache(format, capacity, lowBits);
  const changed = selectChanged(collection, CHANGES_LIMIT + 1);
  const [readsVersion, readsChange] = [statement(version), statement(readChange)];
  let known: number | undefined;
  let last = 0;

  return {
    ...rows,
    refresh: () => {
      rows.beginPage();
      const now = numberOf(main, readsVersion);
      if (now === known) return last;
      const change = numberOf(main, readsChange);
      const found = change > last ? main.rows<[number]>(statement(changed, [last])) : [];
      // Another program may have written without revisions: then no row has a later one.
      if (change <= last || found.length > CHANGES_LIMIT) rows.clear();
      else for (const [created] of found) rows.delete(created);
      // Set last, so that a check that failed is repeated.
      known = now;
      last = change;
      return last;
    },
  };
};
