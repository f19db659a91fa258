import { type Catalogue, type Collection, perCollection } from '../../model/catalogue.ts';
import type { Cell } from '../../model/field.ts';
import type { Keys } from '../port.ts';
import { fieldColumns, fieldValues, marks, PARENT, quote, REVISION, rowColumns, tableColumns } from './columns.ts';

export const readChange = 'SELECT "number" FROM "_change"';
export const writeChange = 'UPDATE "_change" SET "number" = ?';

/** The fixed texts of a collection; keys are bound from the top down. */
export interface ItemSql {
  readonly get: string;
  readonly insert: string;
  readonly update: string;
  readonly remove: string;
  /** Leaves a tombstone. */
  readonly bury: string;
}

export const itemSql = (collection: Collection): ItemSql => {
  const { name, key, parent } = collection;
  const table = quote(name);
  const isItem = `${parent ? `${PARENT} = ? AND ` : ''}${quote(key.name)} = ?`;
  const columns = fieldColumns(collection).map((column) => column.name);
  const all = tableColumns(collection).map((column) => column.name);
  return {
    get: `SELECT ${rowColumns(collection).join(', ')} FROM ${table} WHERE ${isItem}`,
    insert: `INSERT INTO ${table} (${all.join(', ')}) VALUES (${marks(all.length)})`,
    update: `UPDATE ${table} SET ${[REVISION, ...columns].map((column) => `${column} = ?`).join(', ')} WHERE ${isItem}`,
    remove: `DELETE FROM ${table} WHERE ${isItem}`,
    bury: 'INSERT INTO "_tombstones" VALUES (?, ?, ?, ?)',
  };
};

export type SqlOf = (collection: Collection) => ItemSql;

/** @returns looks up the texts of a collection, which are made here */
export const sqlOf = (catalogue: Catalogue): SqlOf => perCollection(catalogue, itemSql);

export const insertValues = (
  collection: Collection,
  change: number,
  parents: Keys,
  cells: readonly Cell[],
): readonly Cell[] => [change, change, ...parents, ...fieldValues(collection, cells)];

export const updateValues = (
  collection: Collection,
  change: number,
  keys: Keys,
  cells: readonly Cell[],
): readonly Cell[] => [change, ...fieldValues(collection, cells), ...keys];

export const buryValues = ({ name, parent }: Collection, change: number, keys: Keys): readonly Cell[] => [
  change,
  name,
  parent ? (keys[0] ?? null) : null,
  keys.at(-1) ?? null,
];
