/**
 * SQL as values: every function is pure and needs no connection. Names come from the catalogue only, client text only
 * travels as a bound value. Missing values come last through two ranges, because `ORDER BY x IS NULL` uses no index.
 */
import type { Collection } from '../model/catalogue.ts';
import type { Cell, Field } from '../model/field.ts';
import { fold } from '../model/fold.ts';
import type { Filter, Query, Window } from '../model/query.ts';
import type { Keys } from './port.ts';

export interface Statement {
  readonly sql: string;
  readonly values: readonly Cell[];
}

/** The store's own columns; no field's name can begin with an underscore. */
const CREATED = '"_created"';
const REVISION = '"_revision"';
const PARENT = '"_parent"';

const quote = (name: string): string => `"${name}"`;
const folded = (field: Field): string => quote(`_${field.name}`);
/** The column that filters and sorts go by. */
const sortColumn = (field: Field): string => (field.kind.folded ? folded(field) : quote(field.name));

interface Column {
  readonly name: string;
  readonly type: string;
}

const fieldColumns = ({ fields }: Collection): readonly Column[] => [
  ...fields.map((field) => ({ name: quote(field.name), type: field.kind.column })),
  ...fields.filter((field) => field.kind.folded).map((field) => ({ name: folded(field), type: 'TEXT' })),
];

const fieldValues = ({ fields }: Collection, cells: readonly Cell[]): readonly Cell[] => [
  ...cells,
  ...fields.flatMap((field, at) => (field.kind.folded ? [foldCell(cells[at] ?? null)] : [])),
];

const foldCell = (cell: Cell): Cell => (typeof cell === 'string' ? fold(cell) : cell);

/** @returns the columns that a database of an earlier catalogue may lack; all of them may be null */
export const addableColumns = (collection: Collection): readonly Column[] => fieldColumns(collection);

export const addColumn = (collection: Collection, { name, type }: Column): string =>
  `ALTER TABLE ${quote(collection.name)} ADD COLUMN ${name} ${type}`;

/**
 * The table of a collection. Creation order is the change number of the creation. An item's parent is named by its key,
 * which never changes, so that one look-up finds a nested item.
 */
export const createTable = (collection: Collection): string => {
  const { name, key, parent } = collection;
  const reference = parent && `REFERENCES ${quote(parent.name)} (${quote(parent.key.name)}) ON DELETE CASCADE`;
  const columns = [
    `${CREATED} INTEGER PRIMARY KEY`,
    `${REVISION} INTEGER NOT NULL`,
    ...(reference ? [`${PARENT} TEXT NOT NULL ${reference}`] : []),
    ...fieldColumns(collection).map((column) => `${column.name} ${column.type}`),
    `UNIQUE (${reference ? `${PARENT}, ` : ''}${quote(key.name)})`,
  ];
  return `CREATE TABLE ${quote(name)} (${columns.join(', ')})`;
};

export const createIndexes = (collection: Collection): readonly string[] => {
  const { name, fields, parent } = collection;
  const index = (suffix: string, columns: string) =>
    `CREATE INDEX IF NOT EXISTS ${quote(`${name}_${suffix}`)} ON ${quote(name)} (${columns})`;
  return [
    ...(parent ? [index('_parent', `${PARENT}, ${CREATED}`)] : []),
    ...fields.filter((field) => field.indexed).map((field) => index(field.name, `${sortColumn(field)}, ${CREATED}`)),
  ];
};

/** The last change number given, and what was deleted at which one. */
export const createChanges: readonly string[] = [
  'CREATE TABLE "_change" ("number" INTEGER NOT NULL)',
  'INSERT INTO "_change" VALUES (0)',
  'CREATE TABLE "_tombstones" ("number" INTEGER PRIMARY KEY, "collection" TEXT NOT NULL, "parent" TEXT, "key" TEXT NOT NULL)',
];

export const readChange = 'SELECT "number" FROM "_change"';
export const writeChange = 'UPDATE "_change" SET "number" = ?';

const rowColumns = ({ fields }: Collection): string =>
  [REVISION, ...fields.map((field) => quote(field.name))].join(', ');

const isItem = ({ key, parent }: Collection): string => `${parent ? `${PARENT} = ? AND ` : ''}${quote(key.name)} = ?`;

const marks = (count: number): string => Array(count).fill('?').join(', ');

/** The fixed texts of a collection; `keys` are bound from the top down. */
export interface ItemSql {
  readonly get: string;
  readonly insert: string;
  readonly update: string;
  readonly remove: string;
  readonly bury: string;
}

/** Looks up what `itemSql` made at start. */
export type SqlOf = (collection: Collection) => ItemSql;

export const itemSql = (collection: Collection): ItemSql => {
  const table = quote(collection.name);
  const columns = fieldColumns(collection).map((column) => column.name);
  const head = [CREATED, REVISION, ...(collection.parent ? [PARENT] : [])];
  const all = [...head, ...columns];
  return {
    get: `SELECT ${rowColumns(collection)} FROM ${table} WHERE ${isItem(collection)}`,
    insert: `INSERT INTO ${table} (${all.join(', ')}) VALUES (${marks(all.length)})`,
    update: `UPDATE ${table} SET ${[REVISION, ...columns].map((name) => `${name} = ?`).join(', ')} WHERE ${isItem(collection)}`,
    remove: `DELETE FROM ${table} WHERE ${isItem(collection)}`,
    bury: 'INSERT INTO "_tombstones" VALUES (?, ?, ?, ?)',
  };
};

export const insertValues = (collection: Collection, change: number, parents: Keys, cells: readonly Cell[]) => [
  change,
  change,
  ...parents,
  ...fieldValues(collection, cells),
];

export const updateValues = (collection: Collection, change: number, keys: Keys, cells: readonly Cell[]) => [
  change,
  ...fieldValues(collection, cells),
  ...keys,
];

export const buryValues = ({ name, parent }: Collection, change: number, keys: Keys): readonly Cell[] => [
  change,
  name,
  parent ? (keys[0] ?? null) : null,
  keys.at(-1) ?? null,
];

const condition = ({ field, texts }: Filter): Statement => {
  const cells = texts.map((text) => foldCell(field.kind.fromText(text, field) ?? null)).filter((cell) => cell !== null);
  const values = [...new Set(cells)];
  if (values.length === 0) return { sql: '1 = 0', values };
  const test = values.length === 1 ? '= ?' : `IN (${marks(values.length)})`;
  return { sql: `${sortColumn(field)} ${test}`, values };
};

/** Which rows a list is about. */
const scope = ({ parent }: Collection, parents: Keys, query: Query, ...more: readonly Statement[]): Statement => {
  const inParent = parent ? [{ sql: `${PARENT} = ?`, values: parents }] : [];
  const conditions = [...inParent, ...query.filters.map(condition), ...more];
  return {
    sql: conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  };
};

const present = (field: Field): Statement => ({ sql: `${quote(field.name)} IS NOT NULL`, values: [] });
const absent = (field: Field): Statement => ({ sql: `${quote(field.name)} IS NULL`, values: [] });

/** @returns a statement for how many rows match */
export const countMatches = (collection: Collection, parents: Keys, query: Query): Statement =>
  count(collection, scope(collection, parents, query));

/** @returns a statement for how many of them hold the field that is sorted by, where some may not */
export const countPresent = (collection: Collection, parents: Keys, query: Query): Statement | undefined =>
  query.sort && !query.sort.required && !query.sort.isKey
    ? count(collection, scope(collection, parents, query, present(query.sort)))
    : undefined;

const count = ({ name }: Collection, where: Statement): Statement => ({
  sql: `SELECT count(*) FROM ${quote(name)}${where.sql}`,
  values: where.values,
});

const rows = (collection: Collection, where: Statement, order: string, { offset, limit }: Window): Statement => ({
  sql: `SELECT ${rowColumns(collection)} FROM ${quote(collection.name)}${where.sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
  values: [...where.values, limit, offset],
});

/**
 * The statements whose rows, one after the other, are the window of a list.
 *
 * @param presentCount how many rows hold the field that is sorted by, where `countPresent` asks
 * @param window clipped to the total, so that both numbers are finite
 */
export const selectRows = (
  collection: Collection,
  parents: Keys,
  query: Query,
  presentCount: number | undefined,
  window: Window,
): readonly Statement[] => {
  const { sort, order } = query;
  const direction = order === 'desc' ? ' DESC' : '';
  const ordered = (...columns: readonly string[]) => columns.map((column) => column + direction).join(', ');
  if (!sort) return [rows(collection, scope(collection, parents, query), ordered(CREATED), window)];

  const exact = sort.kind.folded ? [quote(sort.name)] : [];
  const byValue = ordered(sortColumn(sort), ...exact, CREATED);
  if (presentCount === undefined) return [rows(collection, scope(collection, parents, query), byValue, window)];

  const first = Math.max(0, Math.min(window.limit, presentCount - window.offset));
  const rest = { offset: Math.max(0, window.offset - presentCount), limit: window.limit - first };
  return [
    rows(collection, scope(collection, parents, query, present(sort)), byValue, { ...window, limit: first }),
    rows(collection, scope(collection, parents, query, absent(sort)), CREATED, rest),
  ].filter(({ values }) => values.at(-2) !== 0);
};
