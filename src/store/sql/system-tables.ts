/** The service's own tables. No collection's name begins with an underscore. */
import type { Cell } from '../../gateway/model/field.ts';
import type { IdempotencyRecord, NewRecord } from '../idempotency.ts';
import {
  type Column,
  columnNames,
  type Dialect,
  insertInto,
  quote,
  type Statement,
  type StoredTable,
  statement,
} from './statement.ts';

const text = (name: string): Column => ({ name: quote(name), type: 'TEXT' });
const integer = (name: string): Column => ({ name: quote(name), type: 'INTEGER' });

/** Has one row: the last change number that was taken. */
export const CHANGE = '_change';

/**
 * Deleted items, each with the number of the change that deleted it; and pauses, without a collection (see `change-set.ts`), each
 * with the number before its end, and that of the change before it as its key.
 */
export const tombstones: StoredTable = {
  name: '_tombstones',
  columns: [integer('number'), text('collection'), text('parent'), text('key')],
  order: [quote('number')],
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

/** Where changes are sent (see `../../clients.ts`): what is decided once, then the state, as JSON, and who has it until when. */
export const hooks: StoredTable = {
  name: '_hooks',
  columns: [
    ...['id', 'url', 'list', 'language', 'collection', 'secret'].map(text),
    integer('created'),
    text('state'),
    text('holder'),
    integer('until'),
  ],
  order: [quote('id')],
};

/** PostgreSQL only: the version of the schema. Its row is also the lock that instances which start together wait for. */
export const REGISTER = '_catalogue';

const createSystemTables = ({ types: { TEXT, INTEGER } }: Dialect): readonly string[] => [
  `CREATE TABLE ${quote(CHANGE)} ("number" ${INTEGER} NOT NULL)`,
  `INSERT INTO ${quote(CHANGE)} VALUES (0)`,
  `CREATE TABLE ${quote(tombstones.name)} ("number" ${INTEGER} PRIMARY KEY, "collection" ${TEXT} NOT NULL, "parent" ${TEXT}, "key" ${TEXT} NOT NULL)`,
];

const createKeys = ({ types: { TEXT, INTEGER } }: Dialect): readonly string[] => [
  `CREATE TABLE ${quote(keys.name)} ("id" ${TEXT} NOT NULL PRIMARY KEY, "name" ${TEXT} NOT NULL, "hash" ${TEXT} NOT NULL, "scopes" ${TEXT} NOT NULL, "created" ${INTEGER} NOT NULL, "expires" ${INTEGER})`,
];

const createIdempotency = ({ types: { TEXT, INTEGER } }: Dialect): readonly string[] => [
  `CREATE TABLE ${quote(idempotency.name)} ("key" ${TEXT} NOT NULL PRIMARY KEY, "payload" ${TEXT} NOT NULL, "result" ${TEXT} NOT NULL, "expires" ${INTEGER} NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS "_idempotency_expires" ON ${quote(idempotency.name)} ("expires")`,
];

/** What is in this index is what this condition finds. */
const IS_PAUSE = `"collection" = ''`;

const createChanges = ({ types: { TEXT, INTEGER } }: Dialect): readonly string[] => {
  const columns = hooks.columns.map(({ name, type }) => `${name} ${type === 'TEXT' ? TEXT : INTEGER} NOT NULL`);
  return [
    `CREATE INDEX "_pauses" ON ${quote(tombstones.name)} ("number") WHERE ${IS_PAUSE}`,
    `CREATE TABLE ${quote(hooks.name)} (${columns.join(', ')}, PRIMARY KEY ("id"))`,
  ];
};

/** Version 5 counts the rows of a list where it is read. A program of an earlier version must not go on with the totals that it kept. */
const countRows = (): readonly string[] => [];

/** Tables of earlier versions that nothing reads or writes any more. */
export const unusedTables: readonly string[] = ['_totals', '_limits'];

/**
 * What leads from each version of the schema to the next; the last one's number is today's version. What follows from the
 * catalogue needs no version: it is added wherever it is missing.
 */
export const migrations = [createSystemTables, createKeys, createIdempotency, createChanges, countRows] as const;

export const readChange = `SELECT "number" FROM ${quote(CHANGE)}`;
export const writeChange = `UPDATE ${quote(CHANGE)} SET "number" = ?`;

/** @returns the values of a row of `tombstones`. @param last the change before the pause. @param end the number before the next one */
export const pauseValues = (last: number, end: number): readonly Cell[] => [end, '', null, String(last)];

const BEFORE = 'CAST("key" AS bigint)';
/** What was deleted before its number is not known any more. */
const readOldest = `SELECT CASE WHEN ${IS_PAUSE} THEN ${BEFORE} ELSE "number" END FROM ${quote(tombstones.name)} ORDER BY "number" LIMIT 1`;
const readPause = `SELECT ${BEFORE} FROM ${quote(tombstones.name)} WHERE ${IS_PAUSE} AND "number" > ? ORDER BY "number" LIMIT 1`;

/** @returns a condition: whether what was deleted since a change is not known, because that is too long ago, or no change of this database */
export const isForgotten = (change: number): Statement =>
  statement(`(${readOldest}) > ? OR (${readPause}) < ?`, [change, change, change]);

/** Deletions that are forgotten in one step, which takes some milliseconds. */
const STEP = 1_000;

/** @returns forgets some of what was deleted before a change; the last of it stays, to tell since when all is known */
export const forgetDeletions = (before: number): Statement => {
  const some = `SELECT "number" FROM ${quote(tombstones.name)} WHERE "number" < ? ORDER BY "number" LIMIT ${STEP}`;
  return statement(
    `DELETE FROM ${quote(tombstones.name)} WHERE "number" < (SELECT max("number") FROM (${some}) AS "_some")`,
    [before],
  );
};

/** @returns whether there is anything to forget */
export const hasForgettable = (before: number): Statement =>
  statement(`SELECT 1 FROM ${quote(tombstones.name)} WHERE "number" < ? LIMIT 1 OFFSET 1`, [before]);

const TABLE = quote(idempotency.name);

export type RecordRow = readonly [key: string, payload: string, result: string, expires: number];

export const recordOf = ([key, payload, result, expires]: RecordRow): IdempotencyRecord => ({
  key,
  payload,
  result,
  expires,
});

/** @returns what `putRecord` binds */
export const recordValues = ({ key, payload, result, expires }: IdempotencyRecord): readonly Cell[] => [
  key,
  payload,
  result,
  expires,
];

/** @param test of the key, such as `= ?` */
export const selectRecords = (test: string): string =>
  `SELECT ${columnNames(idempotency)} FROM ${TABLE} WHERE "key" ${test}`;

const changed = ['payload', 'result', 'expires'].map((name) => `${quote(name)} = excluded.${quote(name)}`);

/** In place of the one with the same key, which has expired. */
export const putRecord = (dialect: Dialect): string =>
  `${insertInto(dialect, idempotency)} ON CONFLICT ("key") DO UPDATE SET ${changed.join(', ')}`;

const FORGET = `DELETE FROM ${TABLE} WHERE "key" IN (SELECT "key" FROM ${TABLE} WHERE "expires" <= ? ORDER BY "expires" LIMIT ?)`;

/** Deletes up to twice as many expired records as are added: no deletion takes long, and the table shrinks as fast as it grew. */
export const forgetExpired = (put: readonly NewRecord[]): Statement =>
  statement(FORGET, [put.at(-1)?.received ?? 0, 2 * put.length]);
