import type { Cell } from '../../../gateway/model/field.ts';
import type { IdempotencyRecord, NewRecord } from '../../idempotency.ts';
import { type Dialect, insertInto } from '../dialects.ts';
import { columnNames, quote, type Statement, statement } from '../statement.ts';
import { idempotency } from '../system-tables.ts';

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
