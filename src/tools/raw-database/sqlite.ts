import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import { DatabaseError } from '../../store/database-error.ts';
import { insertInto, sqlite } from '../../store/sql/dialects.ts';
import type { OtherCollections } from '../../store/sql/system/other-collections.ts';
import { type Connection, connect } from '../../store/sqlite/connection/connection.ts';
import { namingRights } from '../../store/sqlite/connection/errors.ts';
import {
  checkDatabase,
  checkFile,
  prepareDatabase,
  prepareWriting,
  withoutLog,
} from '../../store/sqlite/schema/schema.ts';
import { chunksOf } from '../../util/chunks-of.ts';
import { CHUNK_ROWS, type Driver } from './driver.ts';

/** Milliseconds to wait for a lock; nothing else goes on in this process meanwhile. */
const BUSY_TIMEOUT_MS = 5_000;

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
export const openSqlite = (
  location: string,
  catalogue: Catalogue,
  isSource: boolean,
  others: OtherCollections,
): Driver => {
  let connection: Connection;
  try {
    connection = open(location, isSource);
  } catch (error) {
    throw namingRights(location, error);
  }
  const { dev, ino } = statSync(location, { bigint: true });
  return {
    identity: `sqlite:${dev}:${ino}`,
    check: async () => checkDatabase(connection, catalogue, others),
    prepare: async () => {
      prepareDatabase(connection, catalogue, undefined, others);
      connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    },
    exec: async (sql) => connection.exec(sql),
    rows: async (wanted) => connection.rows(wanted),
    stream: async function* (wanted) {
      for (const chunk of chunksOf(connection.iterate<readonly Cell[]>(wanted), CHUNK_ROWS)) {
        yield chunk;
        // The other database gets its turn.
        await setImmediate();
      }
    },
    insert: async (table, rows) => {
      const sql = insertInto(sqlite, table);
      for (const row of rows) connection.run(sql, row);
    },
    [Symbol.asyncDispose]: async () => connection.close(),
    sql: {
      beginSnapshot: 'BEGIN',
      beginTransaction: 'BEGIN IMMEDIATE',
      tables: 'SELECT name FROM sqlite_schema',
      analyze: '',
    },
  };
};
