import type { Collection } from '../../model/catalogue.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { CREATED, fieldColumns, PARENT, quote, REVISION, sortColumn } from './columns.ts';

/** What columns are called in one database. */
export interface Dialect {
  readonly TEXT: string;
  readonly INTEGER: string;
  /** Type of the number of creation, and what its key is: SQLite finds rows by the number, others by their own keys. */
  readonly created: string;
  readonly key: 'UNIQUE' | 'PRIMARY KEY';
}

const sqlite: Dialect = { TEXT: 'TEXT', INTEGER: 'INTEGER', created: 'INTEGER PRIMARY KEY', key: 'UNIQUE' };

/**
 * The table of a collection. Creation order is the change number of the creation. An item's parent is named by its key,
 * which never changes, so that one look-up finds a nested item.
 */
export const createTable = (collection: Collection, dialect: Dialect = sqlite): string => {
  const { name, key, parent } = collection;
  const reference = parent && `REFERENCES ${quote(parent.name)} (${quote(parent.key.name)}) ON DELETE CASCADE`;
  const columns = [
    `${CREATED} ${dialect.created}`,
    `${REVISION} ${dialect.INTEGER} NOT NULL`,
    ...(reference ? [`${PARENT} ${dialect.TEXT} NOT NULL ${reference}`] : []),
    ...fieldColumns(collection).map((column) => `${column.name} ${dialect[column.type]}`),
    `${dialect.key} (${reference ? `${PARENT}, ` : ''}${quote(key.name)})`,
  ];
  return `CREATE TABLE ${quote(name)} (${columns.join(', ')})`;
};

/** @returns statements that add the columns which a database of an earlier catalogue lacks */
export const addColumns = (
  collection: Collection,
  existing: ReadonlySet<string>,
  dialect: Dialect = sqlite,
): readonly string[] =>
  fieldColumns(collection)
    .filter((column) => !existing.has(column.name))
    .map((column) => `ALTER TABLE ${quote(collection.name)} ADD COLUMN ${column.name} ${dialect[column.type]}`);

/**
 * The indexes that pages are found through: by creation, so that a page far down is reached through narrow entries and not
 * whole rows; by each indexed field, for filters; and, where texts fold, once more with the exact text, for sorting.
 */
export const createIndexes = (collection: Collection): readonly string[] => {
  const { name, fields, parent } = collection;
  const index = (suffix: string, ...columns: readonly string[]) =>
    `CREATE INDEX IF NOT EXISTS ${quote(`${name}_${suffix}`)} ON ${quote(name)} (${[...columns, CREATED].join(', ')})`;
  const indexed = fields.filter((field) => field.indexed);
  return [
    parent ? index('_parent', PARENT) : index('_created'),
    ...indexed.map((field) => index(field.name, sortColumn(field))),
    ...indexed
      .filter((field) => kindOf(field).folded)
      .map((field) => index(`${field.name}_sorted`, sortColumn(field), quote(field.name))),
  ];
};

/** @returns the name in a text of `createIndexes` */
export const indexName = (sql: string): string => /INDEX IF NOT EXISTS "([^"]+)"/.exec(sql)?.[1] ?? '';

/** The last change number given, what was deleted at which one, and how many rows there are (see totals). */
export const booksIn = ({ TEXT, INTEGER }: Dialect): readonly string[] => [
  `CREATE TABLE "_change" ("number" ${INTEGER} NOT NULL)`,
  'INSERT INTO "_change" VALUES (0)',
  `CREATE TABLE "_tombstones" ("number" ${INTEGER} PRIMARY KEY, "collection" ${TEXT} NOT NULL, "parent" ${TEXT}, "key" ${TEXT} NOT NULL)`,
  `CREATE TABLE "_totals" ("collection" ${TEXT} NOT NULL, "field" ${TEXT} NOT NULL, "value" ${TEXT} NOT NULL, "count" ${INTEGER} NOT NULL, PRIMARY KEY ("collection", "field", "value"))`,
];

export const createBooks = booksIn(sqlite);
