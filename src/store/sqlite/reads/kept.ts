import type { Catalogue, Collection } from '../../../gateway/model/catalogue.ts';
import type { Row } from '../../../gateway/port/port.ts';
import { changedKeysSince } from '../../sql/items.ts';
import { type Statement, statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import { type Connection, numberOf } from '../connection/connection.ts';

/** The most changed rows that are forgotten one by one; after more, as of an import, all are. */
export const CHANGES_LIMIT = 1_000;

/** What is made of the rows of one collection, by what identifies a row. */
export type Kept<K, V> = ReturnType<typeof keptOf<K, V>>;

export interface Keeping {
  readonly reader: Connection;
  /** Bytes of all together; those of a page may exceed it. */
  readonly capacity: number;
  /** A statement whose result differs after every commit. */
  readonly version: string;
  /** Differs between two reads that may find something else. */
  readonly snapshot: () => number;
}

/**
 * What was made of a row is current as long as the row has the same revision. Rows with later ones are found by the index of
 * revisions, whichever process wrote them. When what was added, or used again, takes half of the capacity, what was not used
 * meanwhile is evicted.
 *
 * @param changed finds what identifies the rows that were written since a change number, up to one more than `CHANGES_LIMIT`
 * @param sizeOf bytes
 */
export const keptOf = <K, V>(
  { reader, capacity, version, snapshot }: Keeping,
  changed: (since: number) => Statement,
  sizeOf: (value: V) => number,
) => {
  const [readsVersion, readsChange] = [statement(version), statement(readChange)];
  let [young, size] = [new Map<K, V>(), 0];
  let old: typeof young | undefined;
  let [known, seen]: (number | undefined)[] = [];
  let last = 0;

  const keep = (id: K, value: V): V => {
    young.set(id, value);
    size += sizeOf(value);
    return value;
  };
  const evict = (left: typeof old): void => {
    old = left;
    [young, size] = [new Map(), 0];
  };
  /** Where it cannot be known all is forgotten, so that a damaged page fails one read, and not each one after it. */
  const changesSince = (change: number) => {
    try {
      return reader.rows<[K & (string | number)]>(changed(change));
    } catch (error) {
      evict(undefined);
      throw error;
    }
  };
  return {
    /** Forgets what has changed. To be called in a snapshot before anything is found or added. */
    refresh: (): void => {
      if (size > capacity / 2) evict(young);
      const current = snapshot();
      if (current === seen) return;
      const now = numberOf(reader, readsVersion);
      seen = current;
      if (now === known) return;
      const change = numberOf(reader, readsChange);
      const isEmpty = young.size === 0 && old === undefined;
      const found = isEmpty || change <= last ? [] : changesSince(last);
      // Another program may have written without revisions: then no row has a later one.
      if (change <= last || found.length > CHANGES_LIMIT) evict(undefined);
      for (const [id] of found) for (const values of [young, old]) values?.delete(id);
      known = now;
      last = change;
    },
    find: (id: K): V | undefined => {
      const value = young.get(id);
      const earlier = value === undefined ? old?.get(id) : undefined;
      return earlier === undefined ? value : keep(id, earlier);
    },
    keep,
    /** Whether anything has been evicted since all was forgotten. */
    isFull: (): boolean => old !== undefined,
  };
};

/** Bytes of a row besides its texts, and of each UTF-16 unit of them. */
const [OVERHEAD, UNIT] = [300, 2];

const sizeOf = (row: Row): number => {
  let units = 0;
  for (const cell of row) if (typeof cell === 'string') units += cell.length;
  return OVERHEAD + UNIT * units;
};

/**
 * Rows of items at the top, by their key, for all languages: with every commit SQLite forgets the pages of each connection but the one that wrote.
 *
 * @returns a function that returns, in a snapshot, the rows of a collection; none of one that is nested
 */
export const keptItems = ({ catalogue, ...keeping }: Keeping & { readonly catalogue: Catalogue }) => {
  const keptOfTop = (collection: Collection) =>
    [collection.name, keptOf<string, Row>(keeping, changedKeysSince(collection, CHANGES_LIMIT + 1), sizeOf)] as const;
  const kept = new Map(catalogue.filter(({ parent }) => !parent).map(keptOfTop));
  return ({ name }: Collection): Kept<string, Row> | undefined => {
    const rows = kept.get(name);
    rows?.refresh();
    return rows;
  };
};
