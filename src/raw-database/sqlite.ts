import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Catalogue } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import { DatabaseError } from '../store/database-error.ts';
import { sqlite } from '../store/sql/dialects.ts';
import { type Statement, statement } from '../store/sql/statement.ts';
import { readChange } from '../store/sql/system-tables.ts';
import { insertInto, type StoredTable } from '../store/sql/tables.ts';
import { type Connection, connect, inTransaction, rollBack } from '../store/sqlite/connection/connection.ts';
import { namingRights } from '../store/sqlite/connection/rights.ts';
import {
  checkDatabase,
  checkFile,
  prepareDatabase,
  prepareWriting,
  withoutLog,
} from '../store/sqlite/schema/schema.ts';
import { CHUNK_ROWS, errorMapping, type RawDatabase, type Rows, toDatabaseError } from './raw-database.ts';

/** Milliseconds to wait for a lock; nothing else goes on in this process meanwhile. */
const BUSY_TIMEOUT_MS = 5_000;

/** Between two chunks the other database gets its turn. */
async function* chunksOf(connection: Connection, wanted: Statement): AsyncGenerator<Rows> {
  let chunk: (readonly Cell[])[] = [];
  for (const row of connection.iterate<readonly Cell[]>(wanted)) {
    chunk.push(row);
    if (chunk.length < CHUNK_ROWS) continue;
    yield chunk;
    await setImmediate();
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

const changeOf = (connection: Connection): number => connection.row<[number]>(readChange, [])?.[0] ?? 0;

const open = (location: string, isSource: boolean): Connection => {
  if (existsSync(location)) {
    if (checkFile(location) && isSource) throw new DatabaseError(withoutLog(location));
  } else if (isSource) throw new DatabaseError('there is no such file');
  else mkdirSync(dirname(resolve(location)), { recursive: true });
  const connection = connect(location);
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // The first statement that reads finds out whether the log can be opened.
  // Not opened for reading only: such a connection would leave the files of its log behind.
  if (isSource) connection.exec('PRAGMA query_only = ON; PRAGMA schema_version');
  else prepareWriting(connection);
  return connection;
};

/**
 * @param location a file's path
 * @param isSource whether the file must be there, and stays as it is
 */
export const openRawSqlite = (location: string, catalogue: Catalogue, isSource: boolean): RawDatabase => {
  const told = `sqlite:${resolve(location)}`;
  const name = existsSync(location) ? `sqlite:${realpathSync(location)}` : told;
  const { one, many } = errorMapping(name);
  let connection: Connection;
  try {
    connection = open(location, isSource);
  } catch (error) {
    throw toDatabaseError(name, namingRights(location, error));
  }
  const { dev, ino } = statSync(location, { bigint: true });
  const exec = one(connection.exec);

  const within = async <T>(begin: string, work: () => Promise<T>): Promise<T> => {
    await exec(begin);
    try {
      const result = await work();
      await exec('COMMIT');
      return result;
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  };
  return {
    name,
    identity: `sqlite:${dev}:${ino}`,
    unregister: statement('PRAGMA user_version = 0'),
    check: one(() => checkDatabase(connection)),
    tables: one(() => new Set(connection.rows<[string]>(statement('SELECT name FROM sqlite_schema')).flat())),
    prepare: one(() => {
      prepareDatabase(connection, catalogue);
      connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }),
    rows: one(connection.rows) as RawDatabase['rows'],
    stream: many((wanted) => chunksOf(connection, wanted)),
    insert: one((table: StoredTable, rows: Rows) => {
      const sql = insertInto(sqlite, table);
      inTransaction(connection, () => {
        for (const row of rows) connection.run(sql, row);
      });
    }),
    snapshot: (work) => within('BEGIN', work),
    transaction: (work) => within('BEGIN IMMEDIATE', work),
    // Every transaction for writing is alone.
    lock: async () => {},
    change: one(() => {
      const another = connect(location, { readOnly: true });
      try {
        return changeOf(another);
      } finally {
        another.close();
      }
    }),
    // Its plans need no statistics.
    analyze: async () => {},
    close: one(connection.close),
  };
};
