import type { Collection } from '../../model/catalogue.ts';
import type { Keys, Row } from '../port.ts';
import type { Connection } from './connection.ts';

/** Rows kept in all, and the longest of them, in UTF-16 units of text: some 10 MB at the most, mostly far less. */
const ROWS = 8_192;
const LONGEST = 1_024;

/** Rows that were read lately, never older than the database. */
export interface RowCache {
  /** The row, from here or by `read`. */
  readonly get: (collection: Collection, keys: Keys, read: () => Row | undefined) => Row | undefined;
  /** Forgets an item that this process changed, and all that is nested in it. */
  readonly forget: (collection: Collection, keys: Keys) => void;
  readonly clear: () => void;
}

/** No key holds U+0000. */
const nameOf = (keys: Keys): string => (keys.length === 1 ? (keys[0] ?? '') : keys.join('\0'));

const isShort = (row: Row): boolean => {
  let length = 0;
  for (const cell of row) if (typeof cell === 'string') length += cell.length;
  return length <= LONGEST;
};

/**
 * What other processes write is noticed by SQLite's `data_version`, which changes with every commit of another connection.
 * It is looked at once per turn of the event loop: every request that the turn answers had arrived before the look, so no
 * client can have heard of a change that it is not shown.
 *
 * @param connection the one that rows are read on
 */
export const rowCache = (connection: Connection): RowCache => {
  const rows = new Map<Collection, Map<string, Row>>();
  let size = 0;
  let seen: number | undefined;
  let isFresh = false;

  const clear = (): void => {
    rows.clear();
    size = 0;
  };
  const refresh = (): void => {
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
    const version = connection.row<[number]>('PRAGMA data_version', [])?.[0];
    if (version !== seen) clear();
    seen = version;
  };
  const keep = (collection: Collection, name: string, row: Row): void => {
    if (size >= ROWS) clear();
    const known = rows.get(collection) ?? new Map<string, Row>();
    rows.set(collection, known.set(name, row));
    size++;
  };

  return {
    get: (collection, keys, read) => {
      if (!isFresh) refresh();
      const name = nameOf(keys);
      const known = rows.get(collection)?.get(name);
      if (known) return known;
      const row = read();
      if (row && isShort(row)) keep(collection, name, row);
      return row;
    },
    forget: (collection, keys) => {
      if (rows.get(collection)?.delete(nameOf(keys))) size--;
      for (const [nested, known] of rows) {
        if (nested.parent !== collection) continue;
        size -= known.size;
        rows.delete(nested);
      }
    },
    clear,
  };
};
