/** Reads many items by their keys in one statement, whose SQL is the same for any number of them. */
import type { Collection } from '../../../gateway/model/catalogue.ts';
import type { Cell, Field, Value } from '../../../gateway/model/field.ts';
import { foldCell } from '../../../gateway/model/search.ts';
import type { KeyedRow, Keys } from '../../../gateway/port/port.ts';
import { keyedColumns, keyedRow, selectHaving } from '../../sql/items.ts';
import { CREATED, PARENT, quote } from '../../sql/statement.ts';
import type { BatchStatement } from '../connection/connection.ts';

export const finderOf = (collection: Collection) => {
  const { name, key } = collection;
  const keys = [...(collection.isNested ? [PARENT] : []), quote(key.name)];
  const test = keys.map((column) => `${column} = ANY(?)`).join(' AND ');
  const sql = `SELECT ${keyedColumns(collection)} FROM ${quote(name)} WHERE ${test}`;
  return {
    /** Finds every requested item. In a nested collection it may find others too: each key is looked up in each parent. */
    find: (all: readonly Keys[]): BatchStatement => ({
      sql,
      values: keys.map((_, at) => [...new Set(all.map((each) => each[at] ?? ''))]),
    }),
    /** Finds the items that have one of some values in a field. */
    having: (field: Field, values: Iterable<Value>): BatchStatement => ({
      sql: selectHaving(collection, field, '= ANY(?)'),
      values: [[...new Set(Array.from(values, foldCell))]],
    }),
    /** Finds the items that are nested in others. */
    within: (parents: Iterable<string>): BatchStatement => ({
      sql: `SELECT ${keyedColumns(collection)} FROM ${quote(name)} WHERE ${PARENT} = ANY(?) ORDER BY ${CREATED}`,
      values: [[...new Set(parents)]],
    }),
    /** Reads an item. @param cells a row of a statement's result */
    read: (cells: readonly Cell[]): KeyedRow => keyedRow(collection, cells),
  };
};

/** Identifies an item within its collection; no key contains U+0000. */
export const joinKeys = (keys: Keys): string => keys.join('\0');
