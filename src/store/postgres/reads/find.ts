/** Reads many items by their keys in one statement, whose SQL is the same for any number of them. */
import type { Collection } from '../../../gateway/model/catalogue.ts';
import type { Cell } from '../../../gateway/model/field.ts';
import type { Keys, Row } from '../../../gateway/port/port.ts';
import { PARENT, quote, rowColumns } from '../../sql/statement.ts';
import type { BatchStatement } from '../connection/connection.ts';

/** An item with its keys. */
interface Found {
  readonly keys: Keys;
  readonly row: Row;
}

export const finderOf = (collection: Collection) => {
  const { name, key, parent } = collection;
  const parents = parent ? [PARENT] : [];
  const columns = [...parents, ...rowColumns(collection)].join(', ');
  const test = [...parents, quote(key.name)].map((column) => `${column} = ANY(?)`).join(' AND ');
  const sql = `SELECT ${columns} FROM ${quote(name)} WHERE ${test}`;
  const depth = parents.length;
  return {
    /** Finds every requested item. In a nested collection it may find others too: each key is looked up in each parent. */
    find: (all: readonly Keys[]): BatchStatement => ({
      sql,
      values: Array.from({ length: depth + 1 }, (_, at) => [...new Set(all.map((keys) => keys[at] ?? ''))]),
    }),
    /** Reads an item. @param cells a row of the statement's result */
    read: (cells: readonly Cell[]): Found => {
      const own: readonly Cell[] = depth === 0 ? cells : cells.slice(depth);
      return { keys: [...cells.slice(0, depth).map(String), String(own[1])], row: own as Row };
    },
  };
};

/** Identifies an item within its collection; no key contains U+0000. */
export const joinKeys = (keys: Keys): string => keys.join('\0');
