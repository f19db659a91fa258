/** What the database's own check finds. */

import { DatabaseError } from '../../store/database-error.ts';
import { statement } from '../../store/sql/statement.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import type { Finding } from './findings.ts';

/** The most faults that are listed; there may be thousands. */
const MOST = 20;

/** The collection whose index of terms a fault of SQLite's is about. */
const OF_WORDS = /FTS5 table main\.(\S+)_search/;

const damaged = (reason: string): Finding => ({ text: 'verify-own', values: { reason } });

/** @returns what a statement reads; what it says where it fails, because the database is damaged */
const linesOf = async (
  database: RawDatabase,
  sql: string,
  values: readonly number[] = [],
): Promise<readonly string[]> => {
  try {
    return (await database.rows<[string]>(statement(sql, values))).flat();
  } catch (error) {
    if (error instanceof DatabaseError) return [error.message];
    throw error;
  }
};

const ofSqlite = async (database: RawDatabase): Promise<readonly Finding[]> => {
  const faults = (await linesOf(database, `PRAGMA integrity_check(${MOST})`)).filter((line) => line !== 'ok');
  if (faults.length > 0) {
    return faults.map((reason) => {
      const table = OF_WORDS.exec(reason)?.[1];
      return table === undefined ? damaged(reason) : { text: 'verify-words', values: { table } };
    });
  }
  const orphans = await database.rows<[string]>(statement('PRAGMA foreign_key_check'));
  return [...Map.groupBy(orphans, ([table]) => table)].map(([table, { length: rows }]) => ({
    text: 'verify-orphans',
    values: { table, rows },
  }));
};

const INDEXES = `SELECT "c"."oid"::text FROM pg_index AS "i" JOIN pg_class AS "c" ON "c"."oid" = "i"."indexrelid" JOIN pg_am AS "a" ON "a"."oid" = "c"."relam"
  WHERE "a"."amname" = 'btree' AND "i"."indisvalid" AND "c"."relnamespace" = current_schema()::regnamespace ORDER BY "c"."relname"`;
/** Compares an index with its table. */
const CHECK = 'SELECT bt_index_check(CAST(CAST(? AS BIGINT) AS regclass), true)::text';

const ofPostgres = async (database: RawDatabase): Promise<readonly Finding[] | undefined> => {
  const isInstalled = await database.rows(statement(`SELECT 1 FROM pg_extension WHERE extname = 'amcheck'`));
  if (isInstalled.length === 0) return undefined;
  const faults: string[] = [];
  for (const oid of await linesOf(database, INDEXES)) faults.push(...(await linesOf(database, CHECK, [Number(oid)])));
  return faults.filter((line) => line !== '').map(damaged);
};

/** @returns findings; `undefined` where the database cannot compare its indexes with its tables */
export const ownFindings = (database: RawDatabase): Promise<readonly Finding[] | undefined> =>
  database.isServer ? ofPostgres(database) : ofSqlite(database);
