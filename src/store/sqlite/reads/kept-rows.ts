import type { Collection } from '../../../gateway/model/catalogue.ts';
import type { ListFormat, Row } from '../../../gateway/port/port.ts';
import { selectChanged } from '../../sql/items.ts';
import { statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import type { Connection } from '../connection/connection.ts';
import { numberOf } from './reads.ts';

/** Rows of one collection as a format writes them, by the number of their creation. */
export type KeptRows = ReturnType<typeof keptRows>;

/** The most changed rows that are forgotten one by one; after more, as of an import, all are. */
const CHANGES_LIMIT = 1_000;
/** Bytes of a row besides its own. */
const OVERHEAD = 96;

/**
 * A row is current as long as it has the same revision. Rows with later ones are found by the index of revisions, whichever
 * process wrote them. Deleted rows need no check: no list contains their numbers any more. When the rows that were added, or
 * used again, take half of the capacity, those that were not used meanwhile are evicted.
 *
 * @param capacity bytes of all rows together; those of a page may exceed it
 * @param version a statement whose result differs after every commit
 */
export const keptRows = (
  main: Connection,
  collection: Collection,
  { start, row: write, separator, end }: ListFormat,
  capacity: number,
  version: string,
) => {
  const changed = selectChanged(collection, CHANGES_LIMIT + 1);
  const [readsVersion, readsChange] = [statement(version), statement(readChange)];
  let [young, size] = [new Map<number, string>(), 0];
  let old: typeof young | undefined;
  let known: number | undefined;
  let last = 0;

  const keep = (created: number, text: string): string => {
    young.set(created, text);
    size += text.length + OVERHEAD;
    return text;
  };
  const evict = (left: typeof old): void => {
    old = left;
    [young, size] = [new Map(), 0];
  };
  return {
    /** Forgets rows that have changed. To be called in each snapshot before rows are found or added. */
    refresh: (): void => {
      if (size > capacity / 2) evict(young);
      const now = numberOf(main, readsVersion);
      if (now === known) return;
      const change = numberOf(main, readsChange);
      const found = change > last ? main.rows<[number]>(statement(changed, [last])) : [];
      // Another program may have written without revisions: then no row has a later one.
      if (change <= last || found.length > CHANGES_LIMIT) evict(undefined);
      for (const [created] of found) for (const rows of [young, old]) rows?.delete(created);
      // Set last, so that a check that failed is repeated.
      known = now;
      last = change;
    },
    find: (created: number): string | undefined => {
      const text = young.get(created);
      const earlier = text === undefined ? old?.get(created) : undefined;
      return earlier === undefined ? text : keep(created, earlier);
    },
    add: (created: number, row: Row): string => keep(created, write(row, 0)),
    page: (rows: readonly string[]): string => start + rows.join(separator) + end,
    /** Whether rows have been evicted since all were forgotten. */
    isFull: (): boolean => old !== undefined,
  };
};
