/** The service's own tables. No collection's name begins with an underscore. */
import type { Cell } from '../../gateway/model/field.ts';
import type { ChangeSet, IdempotencyRecord, NewRecord } from '../change-set.ts';
import {
  type Column,
  type Dialect,
  insertInto,
  joinColumnNames,
  quote,
  type Statement,
  type StoredTable,
  statement,
} from './statement.ts';

function defineTexts(...names: readonly string[]): readonly Column[] {
  return names.map((name) => ({ name: quote(name), type: 'TEXT' }));
}

function defineInteger(name: string): Column {
  return { name: quote(name), type: 'INTEGER' };
}

export const CHANGE = '_change';

/** Deleted items, and gaps. A gap has no collection: its number is the last one that is missing, its key the one before the gap. */
export const tombstones: StoredTable = {
  name: '_tombstones',
  columns: [defineInteger('number'), ...defineTexts('collection', 'parent', 'key')],
  optional: ['"parent"'],
};

export const apiKeys: StoredTable = {
  name: '_keys',
  columns: [...defineTexts('id', 'name', 'hash', 'scopes'), defineInteger('created'), defineInteger('expires')],
  optional: ['"expires"'],
};

/** Results of requests that may be sent again, by a hash of client and key, until they expire (milliseconds since 1970). */
export const idempotency: StoredTable = {
  name: '_idempotency',
  columns: [...defineTexts('key', 'payload', 'result'), defineInteger('expires')],
};

/** Addresses to which changes are sent (see `../clients.ts`): first the columns that never change, then the state, as JSON, and which process has the hook until when. */
export const hooks: StoredTable = {
  name: '_hooks',
  columns: [
    ...defineTexts('id', 'url', 'list', 'language', 'collection', 'secret'),
    defineInteger('created'),
    ...defineTexts('state', 'holder'),
    defineInteger('until'),
  ],
};

/** PostgreSQL only: the version of the schema. Its row is also the lock that instances which start together wait for. */
export const REGISTER = '_catalogue';

export const unusedTables: readonly string[] = ['_totals', '_limits'];

function createSystemTable({ name, columns, optional = [] }: StoredTable, { types }: Dialect): string {
  const declared = columns.map(
    (column) => `${column.name} ${types[column.type]}${optional.includes(column.name) ? '' : ' NOT NULL'}`,
  );
  return `CREATE TABLE ${quote(name)} (${declared.join(', ')}, PRIMARY KEY (${columns[0]?.name}))`;
}

const IS_GAP = `"collection" = ''`;

/** Steps from each version of the schema to the next. Tables and columns of the catalogue are added at start if they are missing. */
export const migrations: readonly ((dialect: Dialect) => readonly string[])[] = [
  (dialect) => [
    `CREATE TABLE ${quote(CHANGE)} ("number" ${dialect.types.INTEGER} NOT NULL)`,
    `INSERT INTO ${quote(CHANGE)} VALUES (0)`,
    createSystemTable(tombstones, dialect),
  ],
  (dialect) => [createSystemTable(apiKeys, dialect)],
  (dialect) => [
    createSystemTable(idempotency, dialect),
    `CREATE INDEX "_idempotency_expires" ON ${quote(idempotency.name)} ("expires")`,
  ],
  (dialect) => [
    `CREATE INDEX "_pauses" ON ${quote(tombstones.name)} ("number") WHERE ${IS_GAP}`,
    createSystemTable(hooks, dialect),
  ],
  // Version 5 counts the rows of a list. A program of an earlier version must not go on with the totals that it kept.
  () => [],
  // In version 6 keys have no blanks at their ends (see `trimKeys`).
  () => [],
];

export const readChange = `SELECT "number" FROM ${quote(CHANGE)}`;
export const writeChange = `UPDATE ${quote(CHANGE)} SET "number" = ?`;

export function listGapValues(last: number, end: number): readonly Cell[] {
  return [end, '', null, String(last)];
}

const BEFORE = 'CAST("key" AS bigint)';
/** The number of the change before which deletions have been forgotten. */
const readOldest = `SELECT CASE WHEN ${IS_GAP} THEN ${BEFORE} ELSE "number" END FROM ${quote(tombstones.name)} ORDER BY "number" LIMIT 1`;
const readGap = `SELECT ${BEFORE} FROM ${quote(tombstones.name)} WHERE ${IS_GAP} AND "number" > ? ORDER BY "number" LIMIT 1`;

export function testForgotten(change: number): Statement {
  return statement(`(${readOldest}) > ? OR (${readGap}) < ?`, [change, change, change]);
}

const STEP = 1_000;

/** @returns forgets some of what was deleted before a change; the last of it stays, to tell since when all is known */
export function forgetDeletions(before: number): Statement {
  const some = `SELECT "number" FROM ${quote(tombstones.name)} WHERE "number" < ? ORDER BY "number" LIMIT ${STEP}`;
  const last = `SELECT max("number") FROM (${some}) AS "_some"`;
  return statement(`DELETE FROM ${quote(tombstones.name)} WHERE "number" < (${last})`, [before]);
}

export function hasForgettable(before: number): Statement {
  return statement(`SELECT 1 FROM ${quote(tombstones.name)} WHERE "number" < ? LIMIT 1 OFFSET 1`, [before]);
}

export type RecordRow = readonly [key: string, payload: string, result: string, expires: number];

export function toRecord([key, payload, result, expires]: RecordRow): IdempotencyRecord {
  return { key, payload, result, expires };
}

export function selectRecords(test: string): string {
  return `SELECT ${joinColumnNames(idempotency)} FROM ${quote(idempotency.name)} WHERE "key" ${test}`;
}

function putRecord(dialect: Dialect): string {
  const changed = ['payload', 'result', 'expires'].map((name) => `${quote(name)} = excluded.${quote(name)}`);
  return `${insertInto(dialect, idempotency)} ON CONFLICT ("key") DO UPDATE SET ${changed.join(', ')}`;
}

/** Deletes up to twice as many expired records as are added: no deletion takes long, and the table shrinks as fast as it grew. */
function forgetExpired(added: readonly NewRecord[]): Statement {
  const expired = `SELECT "key" FROM ${quote(idempotency.name)} WHERE "expires" <= ? ORDER BY "expires" LIMIT ?`;
  const sql = `DELETE FROM ${quote(idempotency.name)} WHERE "key" IN (${expired})`;
  return statement(sql, [added.at(-1)?.receivedAt ?? 0, 2 * added.length]);
}

/** Rows that one statement inserts. */
type Insert = readonly [sql: string, rows: readonly (readonly Cell[])[]];

/** @returns what a transaction writes after its items: records, a gap and the change number */
export function listClosingWrites(
  dialect: Dialect,
  changeSet: ChangeSet,
): { readonly inserts: readonly Insert[]; readonly statements: readonly Statement[] } {
  const [change, gap, records] = [changeSet.lastChange(), changeSet.gapMarker(), changeSet.records()];
  return {
    inserts: [
      [putRecord(dialect), records.map(({ key, payload, result, expires }) => [key, payload, result, expires])],
      [insertInto(dialect, tombstones), gap === undefined ? [] : [listGapValues(changeSet.last, gap)]],
    ],
    statements: [
      ...(records.length === 0 ? [] : [forgetExpired(records)]),
      ...(change === undefined ? [] : [statement(writeChange, [change])]),
    ],
  };
}
