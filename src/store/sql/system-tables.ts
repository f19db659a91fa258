/** The tables that are kept beside those of the collections, whose names never begin with an underscore. */
import type { Dialect } from './dialects.ts';
import { quote } from './statement.ts';
import type { Column, StoredTable } from './tables.ts';

const text = (name: string): Column => ({ name: quote(name), type: 'TEXT' });
const integer = (name: string): Column => ({ name: quote(name), type: 'INTEGER' });

/** One row: the last change number that was given. */
export const CHANGE = '_change';

/** What was deleted, and at which change. */
export const tombstones: StoredTable = {
  name: '_tombstones',
  columns: [integer('number'), text('collection'), text('parent'), text('key')],
  order: [quote('number')],
};

/** How many rows there are (see `totals.ts`). */
export const totals: StoredTable = {
  name: '_totals',
  columns: [text('collection'), text('field'), text('value'), integer('count')],
  order: ['collection', 'field', 'value'].map(quote),
};

/** On a server: whose the tables are, and of which version; instances that start together wait for each other on its row. */
export const REGISTER = '_catalogue';

/** There while a transfer fills a database, and dropped once all of it is there. */
export const MARKER = '_transfer';

/** Why such a database is not served. */
export const UNFINISHED =
  'is half filled by a transfer; run the same `npm run transfer` again, which goes on from there';

export const createSystemTables = ({ types: { TEXT, INTEGER } }: Dialect): readonly string[] => [
  `CREATE TABLE ${quote(CHANGE)} ("number" ${INTEGER} NOT NULL)`,
  `INSERT INTO ${quote(CHANGE)} VALUES (0)`,
  `CREATE TABLE ${quote(tombstones.name)} ("number" ${INTEGER} PRIMARY KEY, "collection" ${TEXT} NOT NULL, "parent" ${TEXT}, "key" ${TEXT} NOT NULL)`,
  `CREATE TABLE ${quote(totals.name)} ("collection" ${TEXT} NOT NULL, "field" ${TEXT} NOT NULL, "value" ${TEXT} NOT NULL, "count" ${INTEGER} NOT NULL, PRIMARY KEY ("collection", "field", "value"))`,
];

export const readChange = `SELECT "number" FROM ${quote(CHANGE)}`;
export const writeChange = `UPDATE ${quote(CHANGE)} SET "number" = ?`;
