import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Dialect } from './dialects.ts';
import { CREATED, comparedColumn, fieldColumns, isFolded, PARENT, quote, REVISION, sortColumn } from './statement.ts';

/**
 * The table of a collection. `_created` is the change number of the creation. A nested item refers to its parent by the
 * parent's key, which never changes, so that one look-up finds it.
 */
export const createTable = (collection: Collection, { types, created, key: keyKind }: Dialect): string => {
  const { name, key, parent } = collection;
  const reference = parent && `REFERENCES ${quote(parent.name)} (${quote(parent.key.name)}) ON DELETE CASCADE`;
  const columns = [
    `${CREATED} ${created}`,
    `${REVISION} ${types.INTEGER} NOT NULL`,
    ...(reference ? [`${PARENT} ${types.TEXT} NOT NULL ${reference}`] : []),
    ...fieldColumns(collection).map((column) => `${column.name} ${types[column.type]}`),
    `${keyKind} (${reference ? `${PARENT}, ` : ''}${quote(key.name)})`,
  ];
  return `CREATE TABLE ${quote(name)} (${columns.join(', ')})`;
};

/** @returns statements that add the columns that a database of an earlier catalogue lacks */
export const addColumns = (
  collection: Collection,
  existing: ReadonlySet<string>,
  { types }: Dialect,
): readonly string[] =>
  fieldColumns(collection)
    .filter((column) => !existing.has(column.name))
    .map((column) => `ALTER TABLE ${quote(collection.name)} ADD COLUMN ${column.name} ${types[column.type]}`);

export interface Index {
  readonly name: string;
  readonly table: string;
  /** Quoted. */
  readonly columns: readonly string[];
  /** By default a tree. */
  readonly method?: 'gin';
  /** The name of the field whose values must differ from each other. */
  readonly unique?: string;
}

/**
 * @returns a statement that creates the index where it is missing; what is written to it does not wait for a later transaction,
 * which would take a tenth of a second longer then
 */
export const createIndex = (
  { name, table, columns, method, unique }: Index,
  way: '' | 'CONCURRENTLY ' = '',
): string => {
  const [using, options] = method === 'gin' ? ['USING gin ', ' WITH (fastupdate = off)'] : ['', ''];
  return `CREATE ${unique === undefined ? '' : 'UNIQUE '}INDEX ${way}IF NOT EXISTS ${quote(name)} ON ${quote(table)} ${using}(${columns.join(', ')})${options}`;
};

/**
 * One index by creation, so that a page far down is reached through narrow entries instead of whole rows; one by each indexed
 * field, for filters and sorts; and one by revision, which finds what was written since a change.
 */
export const indexesOf = ({ name: table, fields, parent, all }: Collection): readonly Index[] => {
  const index = (suffix: string, ...columns: readonly string[]): Index => ({
    name: `${table}_${suffix}`,
    table,
    columns: [...columns, CREATED],
  });
  return [
    ...(parent ? [index('_parent', PARENT)] : []),
    ...(parent && !all ? [] : [index('_created')]),
    ...fields.filter((field) => field.indexed).map((field) => index(field.name, sortColumn(field))),
    { name: `${table}_revision`, table, columns: [REVISION] },
    ...fields
      .filter(({ unique }) => unique)
      .map((field) => ({
        name: `${table}_${field.name}_unique`,
        table,
        columns: [comparedColumn(field)],
        unique: field.name,
      })),
  ];
};

/**
 * @returns the names of indexes that version 0.1.0 made, which no list uses, of those of fields that are not unique any more, and of
 * lists across parents that are not listed any more, or were by a command alone
 */
export const obsoleteIndexes = ({ name: table, fields, parent, all }: Collection): readonly string[] => [
  ...(parent && !all ? [`${table}__created`] : []),
  ...fields.filter((field) => field.indexed && isFolded(field)).map((field) => `${table}_${field.name}_sorted`),
  ...fields
    .filter(({ unique }) => !unique)
    .flatMap(({ name, was }) => [name, ...(was === undefined ? [] : [was])].map((each) => `${table}_${each}_unique`)),
];
