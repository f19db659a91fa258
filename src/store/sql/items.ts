import { fold } from '../../../packages/vocabularies/src/words.ts';
import { type Catalogue, type Collection, listsOf, perCollection } from '../../gateway/model/catalogue.ts';
import type { Cell, Field } from '../../gateway/model/field.ts';
import { MOST_REFERRING } from '../../gateway/model/import.ts';
import { type Included, sourceOf } from '../../gateway/model/references.ts';
import type { Found, KeyedRow, Keys, Row } from '../../gateway/port/port.ts';
import {
  CREATED,
  columnOf,
  comparedColumn,
  type Dialect,
  fieldColumns,
  fieldValues,
  idIn,
  insertInto,
  PARENT,
  quote,
  REVISION,
  rowColumns,
  type Statement,
  scope,
  statement,
  tableOf,
} from './statement.ts';
import { readChange, tombstones } from './system-tables.ts';

/** A column of JSON for each: the row that a field refers to, or the rows nested in an item in the order of their creation. */
export const includedColumns = (
  { name, key }: Collection,
  included: readonly Included[],
  { asJson, rowsAsJson }: Dialect,
): readonly string[] =>
  included.map((each) => {
    const { key: own, through } = each;
    const columns = rowColumns(each).join(', ');
    const [rows, column, value] = through
      ? [asJson(columns), quote(own.name), columnOf(through)]
      : [rowsAsJson(columns, CREATED), PARENT, quote(key.name)];
    const table = quote(sourceOf(each));
    return `(SELECT ${rows} FROM ${table} WHERE ${table}.${column} = ${quote(name)}.${value})`;
  });

/** @returns the columns of an item with its keys, for `keyedRow` */
export const keyedColumns = (collection: Collection): string =>
  [...(collection.isNested ? [PARENT] : []), ...rowColumns(collection)].join(', ');

/** @param cells of `keyedColumns` */
export const keyedRow = (collection: Collection, cells: readonly Cell[]): KeyedRow => {
  const depth = collection.isNested ? 1 : 0;
  const own: readonly Cell[] = depth === 0 ? cells : cells.slice(depth);
  return { keys: [...cells.slice(0, depth).map(String), String(own[1])], row: own as Row };
};

/** @param test what a column is compared with. @returns finds the items whose field has a value, as filters compare it */
export const selectHaving = (collection: Collection, field: Field, test: '= ?' | '= ANY(?)'): string =>
  `SELECT ${keyedColumns(collection)} FROM ${quote(collection.name)} WHERE ${comparedColumn(field)} ${test}`;

/** @returns finds the items that refer to exactly this key; of those that prevent its deletion, as many as are counted */
export const selectReferring = (collection: Collection, field: Field, key: string): Statement => {
  const most = (field.onDelete ?? 'refuse') === 'refuse' ? ` LIMIT ${MOST_REFERRING}` : '';
  return statement(`${selectHaving(collection, field, '= ?')} AND ${quote(field.name)} = ?${most}`, [fold(key), key]);
};

/** The SQL of one collection; keys are bound from the top down. */
export interface ItemSql {
  readonly select: string;
  readonly insert: string;
  readonly update: string;
  readonly remove: string;
  /** Takes the unique values away from an item, so that others can have them before it is updated. */
  readonly free: string;
}

const isItem = (collection: Collection): string =>
  `${collection.isNested ? `${PARENT} = ? AND ` : ''}${quote(collection.key.name)} = ?`;

/** @returns finds the items of a collection at the top that were written or deleted since a change, by their key; up to `most` of them */
export function changedKeysSince({ name, key }: Collection, most: number, since: number): Statement {
  const written = `SELECT ${quote(key.name)} FROM ${quote(name)} WHERE ${REVISION} > ?`;
  const deleted = `SELECT "key" FROM ${quote(tombstones.name)} WHERE "number" > ? AND "collection" = ?`;
  return statement(`${written} UNION ALL ${deleted} LIMIT ${most}`, [since, since, name]);
}

/** @returns reads what identifies the items of a list, in creation order */
export const selectKeys = (collection: Collection, parents: Keys): Statement => {
  const { sql, values } = scope(collection, parents, []);
  return statement(`SELECT ${idIn(collection)} FROM ${quote(collection.name)}${sql} ORDER BY ${CREATED}`, values);
};

export const selectItem = (collection: Collection): string =>
  `SELECT ${rowColumns(collection).join(', ')} FROM ${quote(collection.name)} WHERE ${isItem(collection)}`;

/** Binds keys. @returns finds an item, with what it includes and the database's change number at the end of its row */
export const selectIncluding = (collection: Collection, included: readonly Included[], dialect: Dialect): string => {
  const columns = [...rowColumns(collection), ...includedColumns(collection, included, dialect), `(${readChange})`];
  return `SELECT ${columns.join(', ')} FROM ${quote(collection.name)} WHERE ${isItem(collection)}`;
};

/** @param row of `selectIncluding` */
export const foundIncluding = (row: readonly Cell[] | undefined): Found | undefined =>
  row && { total: 1, change: Number(row.at(-1)), rows: [[Number(row[0]), ...row.slice(1, -1)]] };

const freed = ({ fields }: Collection): string =>
  fields
    .filter(({ unique }) => unique)
    .map((field) => `${comparedColumn(field)} = NULL`)
    .join(', ');

const itemSql = (collection: Collection, dialect: Dialect): ItemSql => {
  const table = quote(collection.name);
  const columns = [REVISION, ...fieldColumns(collection).map(({ name }) => name)];
  return {
    select: selectItem(collection),
    insert: insertInto(dialect, tableOf(collection)),
    update: `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE ${isItem(collection)}`,
    remove: `DELETE FROM ${table} WHERE ${isItem(collection)}`,
    free: `UPDATE ${table} SET ${freed(collection)} WHERE ${isItem(collection)}`,
  };
};

export type SqlOf = (collection: Collection) => ItemSql;

/** Makes the SQL of every collection. @returns looks it up */
export const sqlOf = (catalogue: Catalogue, dialect: Dialect): SqlOf =>
  perCollection(listsOf(catalogue), (collection) => itemSql(collection, dialect));

/** @returns a value for each of the table's columns */
export const insertValues = (
  collection: Collection,
  created: number,
  revision: number,
  parents: Keys,
  cells: readonly Cell[],
): readonly Cell[] => [created, revision, ...parents, ...fieldValues(collection, cells)];

export const updateValues = (
  collection: Collection,
  revision: number,
  keys: Keys,
  cells: readonly Cell[],
): readonly Cell[] => [revision, ...fieldValues(collection, cells), ...keys];

/** @returns a value for each column of `tombstones` */
export const tombstoneValues = (collection: Collection, change: number, keys: Keys): readonly Cell[] => [
  change,
  collection.name,
  collection.isNested ? (keys[0] ?? null) : null,
  keys.at(-1) ?? null,
];
