/** The service's own tables. No collection's name begins with an underscore. */
import type { Dialect } from './dialects.ts';
import { createIndex } from './schema.ts';
import { type Column, quote, type StoredTable } from './statement.ts';

const text = (name: string): Column => ({ name: quote(name), type: 'TEXT' });
const integer = (name: string): Column => ({ name: quote(name), type: 'INTEGER' });

/** Has one row: the last change number that was taken. */
export const CHANGE = '_change';

/** Deleted items, each with the number of the change that deleted it. */
export const tombstones: StoredTable = {
  name: '_tombstones',
  columns: [integer('number'), text('collection'), text('parent'), text('key')],
  order: [quote('number')],
};

/** Numbers of rows (see `../totals.ts`). */
export const totals: StoredTable = {
  name: '_totals',
  columns: [text('collection'), text('field'), text('value'), integer('count')],
  order: ['collection', 'field', 'value'].map(quote),
};

/** Keys of clients, of which only hashes are stored. Times are milliseconds since 1970. */
export const keys: StoredTable = {
  name: '_keys',
  columns: [text('id'), text('name'), text('hash'), text('scopes'), integer('created'), integer('expires')],
  order: [quote('id')],
};

/**
 * Results of requests that may be sent again (see `../idempotency.ts`), by a hash of client and key, until they expire
 * (milliseconds since 1970).
 */
export const idempotency: StoredTable = {
  name: '_idempotency',
  columns: [text('key'), text('payload'), text('result'), integer('expires')],
  order: [quote('key')],
};

/** PostgreSQL only: the version of the schema. Its row is also the lock that instances which start together wait for. */
export const REGISTER = '_catalogue';

const createSystemTables = ({ types: { TEXT, INTEGER } }: Dialect): readonly string[] => [
  `CREATE TABLE ${quote(CHANGE)} ("number" ${INTEGER} NOT NULL)`,
  `INSERT INTO ${quote(CHANGE)} VALUES (0)`,
  `CREATE TABLE ${quote(tombstones.name)} ("number" ${INTEGER} PRIMARY KEY, "collection" ${TEXT} NOT NULL, "parent" ${TEXT}, "key" ${TEXT} NOT NULL)`,
  `CREATE TABLE ${quote(totals.name)} ("collection" ${TEXT} NOT NULL, "field" ${TEXT} NOT NULL, "value" ${TEXT} NOT NULL, "count" ${INTEGER} NOT NULL, PRIMARY KEY ("collection", "field", "value"))`,
];

const createKeys = ({ types: { TEXT, INTEGER } }: Dialect): readonly string[] => [
  `CREATE TABLE ${quote(keys.name)} ("id" ${TEXT} NOT NULL PRIMARY KEY, "name" ${TEXT} NOT NULL, "hash" ${TEXT} NOT NULL, "scopes" ${TEXT} NOT NULL, "created" ${INTEGER} NOT NULL, "expires" ${INTEGER})`,
];

const createIdempotency = ({ types: { TEXT, INTEGER } }: Dialect): readonly string[] => [
  `CREATE TABLE ${quote(idempotency.name)} ("key" ${TEXT} NOT NULL PRIMARY KEY, "payload" ${TEXT} NOT NULL, "result" ${TEXT} NOT NULL, "expires" ${INTEGER} NOT NULL)`,
  createIndex({ name: '_idempotency_expires', table: idempotency.name, columns: [quote('expires')] }),
];

/**
 * What leads from each version of the schema to the next; the last one's number is today's version. What follows from the
 * catalogue needs no version: it is added wherever it is missing.
 */
export const migrations = [createSystemTables, createKeys, createIdempotency] as const;

export const readChange = `SELECT "number" FROM ${quote(CHANGE)}`;
/** Waits for the current writer, and blocks the next. */
export const LOCK_CHANGE = `UPDATE ${quote(CHANGE)} SET "number" = "number" RETURNING "number"`;
export const writeChange = `UPDATE ${quote(CHANGE)} SET "number" = ?`;
