import { fold } from '../../../packages/vocabularies/src/words.ts';
import { allLists, type Catalogue, type Collection, perCollection } from '../../gateway/model/catalogue.ts';
import type { Cell, Field } from '../../gateway/model/field.ts';
import { MOST_REFERRING } from '../../gateway/model/import.ts';
import { type Included, includedCollection, keyId } from '../../gateway/model/query.ts';
import type { KeyedRow, Keys, ReadResult, Row } from '../../gateway/port/port.ts';
import {
  buildComparedColumn,
  buildIdentityColumn,
  buildWhere,
  CREATED,
  type Dialect,
  describeTable,
  insertInto,
  listColumns,
  listFieldColumns,
  listFieldValues,
  PARENT,
  quote,
  quoteColumn,
  quoteFolded,
  quoteKey,
  REVISION,
  type Statement,
  statement,
  testParent,
} from './statement.ts';
import { readChange, tombstones } from './system-tables.ts';

export function buildIncluded(
  { name, key }: Collection,
  inclusions: readonly Included[],
  { asJson, rowsAsJson }: Dialect,
): readonly string[] {
  return inclusions.map((reference) => {
    const { key: includedKey, through } = reference;
    const columns = listColumns(reference).join(', ');
    const [rows, column, value] = through
      ? [asJson(columns), quote(includedKey.name), quoteColumn(through)]
      : [rowsAsJson(columns, CREATED), PARENT, quote(key.name)];
    const table = quote(includedCollection(reference));
    return `(SELECT ${rows} FROM ${table} WHERE ${table}.${column} = ${quote(name)}.${value})`;
  });
}

export function listKeyedColumns(collection: Collection): string {
  return [...(collection.isChild ? [PARENT] : []), ...listColumns(collection)].join(', ');
}

export function toKeyedRow({ isChild }: Collection, cells: readonly Cell[]): KeyedRow {
  const row = (isChild ? cells.slice(1) : cells) as Row;
  return { keys: [...(isChild ? [String(cells[0])] : []), String(row[1])], row };
}

export function selectHaving(collection: Collection, field: Field, test: '= ?' | '= ANY(?)'): string {
  return `SELECT ${listKeyedColumns(collection)} FROM ${quote(collection.name)} WHERE ${buildComparedColumn(field)} ${test}`;
}

/** One commit may delete so many of them before they are counted. */
const UNCOUNTED = 256;

/** @returns finds the items that refer to exactly this key; of those that prevent its deletion, enough to tell that they are too many to count */
export function selectReferring(collection: Collection, field: Field, key: string): Statement {
  const most = (field.onDelete ?? 'refuse') === 'refuse' ? ` LIMIT ${MOST_REFERRING + UNCOUNTED}` : '';
  const having = selectHaving(collection, field, '= ?');
  if (field.compact) return statement(having + most, [keyId(field, key)]);
  return statement(`${having} AND ${quote(field.name)} = ?${most}`, [fold(key), key]);
}

function testKeys(collection: Collection): string {
  return `${collection.isChild ? `${PARENT} = ? AND ` : ''}${quote(collection.key.name)} = ?`;
}

/** Finds an item by the `keyIds` of its keys, in whichever way these are written. */
function testKeyIds(collection: Collection): string {
  const parent = collection.isChild ? `${PARENT} ${testParent(collection, '= ?')} AND ` : '';
  return `${parent}${quoteKey(collection.key)} = ?`;
}

export function selectChangedKeys({ name, key }: Collection, most: number, since: number): Statement {
  const writes = `SELECT ${quote(key.name)} FROM ${quote(name)} WHERE ${REVISION} > ?`;
  const deletions = `SELECT "key" FROM ${quote(tombstones.name)} WHERE "number" > ? AND "collection" = ?`;
  return statement(`${writes} UNION ALL ${deletions} LIMIT ${most}`, [since, since, name]);
}

export function selectKeys(collection: Collection, parents: Keys): Statement {
  const { sql, values } = buildWhere(collection, parents, []);
  return statement(
    `SELECT ${buildIdentityColumn(collection)} FROM ${quote(collection.name)}${sql} ORDER BY ${CREATED}`,
    values,
  );
}

export function selectItem(collection: Collection): string {
  return `SELECT ${listColumns(collection).join(', ')} FROM ${quote(collection.name)} WHERE ${testKeyIds(collection)}`;
}

export function selectIncluding(collection: Collection, inclusions: readonly Included[], dialect: Dialect): string {
  const columns = [...listColumns(collection), ...buildIncluded(collection, inclusions, dialect), `(${readChange})`];
  return `SELECT ${columns.join(', ')} FROM ${quote(collection.name)} WHERE ${testKeyIds(collection)}`;
}

export function toResultWithIncluded(row: readonly Cell[] | undefined): ReadResult | undefined {
  return row && { total: 1, change: Number(row.at(-1)), rows: [[Number(row[0]), ...row.slice(1, -1)]] };
}

export type FindItemSql = ReturnType<typeof createItemSql>;

export function createItemSql(catalogue: Catalogue, dialect: Dialect) {
  return perCollection(allLists(catalogue), (collection) => {
    const table = quote(collection.name);
    const columns = [REVISION, ...listFieldColumns(collection).map(({ name }) => name)];
    const unique = collection.fields.filter((field) => field.unique).map(quoteFolded);
    return {
      select: selectItem(collection),
      insert: insertInto(dialect, describeTable(collection)),
      update: `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE ${testKeys(collection)}`,
      remove: `DELETE FROM ${table} WHERE ${testKeys(collection)}`,
      /** Takes the unique values away from an item, so that others can have them before it is updated. */
      free: `UPDATE ${table} SET ${unique.map((column) => `${column} = NULL`).join(', ')} WHERE ${testKeys(collection)}`,
    };
  });
}

export function listInsertValues(
  collection: Collection,
  created: number,
  revision: number,
  parents: Keys,
  cells: readonly Cell[],
): readonly Cell[] {
  return [created, revision, ...parents, ...listFieldValues(collection, cells)];
}

export function listUpdateValues(
  collection: Collection,
  revision: number,
  keys: Keys,
  cells: readonly Cell[],
): readonly Cell[] {
  return [revision, ...listFieldValues(collection, cells), ...keys];
}

export function listTombstoneValues({ name, isChild }: Collection, change: number, keys: Keys): readonly Cell[] {
  return [change, name, isChild ? (keys[0] ?? null) : null, keys.at(-1) ?? null];
}
