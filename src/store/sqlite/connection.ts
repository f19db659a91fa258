import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Cell } from '../../gateway/model/field.ts';
import { rankOf, searchTerms } from '../../gateway/model/search.ts';
import { type Reason, unavailable } from '../../gateway/port/unavailable.ts';
import { RANK } from '../sql/search.ts';
import type { Statement } from '../sql/statement.ts';

/** A connection whose statements are prepared once and cached by their text. */
export interface Connection {
  readonly exec: (sql: string) => void;
  /** @returns how many rows changed */
  readonly run: (sql: string, values: readonly (Cell | Uint8Array)[]) => number;
  readonly row: <R>(sql: string, values: readonly Cell[]) => R | undefined;
  readonly rows: <R>(statement: Statement) => R[];
  /** One row at a time. The same statement must not be iterated twice at once. */
  readonly iterate: <R>(statement: Statement) => IteratorObject<R>;
  readonly close: () => void;
}

/** Reads a number that differs after every commit of another connection, in 1.5 µs. */
export const READ_VERSION = 'PRAGMA data_version';

/** Filters make many texts, so the cache is bounded. */
const STATEMENTS = 256;

/** Does work on the database; what it throws goes through `toUnavailable`. */
export const withErrorMapping = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw toUnavailable(error);
  }
};

/** Prepares each statement once. */
const connectionOf = (database: DatabaseSync): Connection => {
  const statements = new Map<string, StatementSync>();
  database.function(RANK, { deterministic: true }, (search, main, rest) =>
    rankOf(searchTerms(String(search)), String(main), String(rest)),
  );

  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= STATEMENTS) statements.clear();
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    statements.set(sql, statement);
    return statement;
  };
  return {
    exec: (sql) => database.exec(sql),
    run: (sql, values) => Number(prepared(sql).run(...values).changes),
    row: <R>(sql: string, values: readonly Cell[]) => prepared(sql).get(...values) as R | undefined,
    rows: <R>({ sql, values }: Statement) => prepared(sql).all(...values) as R[],
    iterate: <R>({ sql, values }: Statement) => prepared(sql).iterate(...values) as unknown as IteratorObject<R>,
    close: () => {
      statements.clear();
      database.close();
    },
  };
};

/** @param location a path, or `:memory:` */
export const connect = (location: string, { readOnly = false } = {}): Connection =>
  // Timeout 0: with any other, BEGIN IMMEDIATE would block the event loop while it waits for a lock.
  connectionOf(new DatabaseSync(location, { readOnly, timeout: 0, enableForeignKeyConstraints: true }));

/**
 * Reads a file as it is now: without its log, without a lock, and without a change to it. By way of SQLite all the same,
 * because a process that closes any descriptor of a file loses all its locks on that file (POSIX `fcntl`); SQLite postpones
 * its own closes until it holds none.
 *
 * @param mayBeShort whether a file may be shorter than its header says, as it is while its log is being folded in
 * @throws where the file is no database, or damaged
 */
export const readUnlocked = <T>(file: string, read: (connection: Connection) => T, mayBeShort = true): T => {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const connection = connectionOf(new DatabaseSync(url, { readOnly: true, defensive: false }));
  try {
    if (mayBeShort) connection.exec('PRAGMA writable_schema = ON');
    return read(connection);
  } finally {
    connection.close();
  }
};

/** @returns a number that SQLite keeps with a database */
export const pragma = (connection: Connection, name: string): number =>
  connection.row<[number]>(`PRAGMA ${name}`, [])?.[0] ?? 0;

/** @param name of a table, an index or a trigger */
export const hasSchemaObject = (connection: Connection, name: string): boolean =>
  connection.row('SELECT 1 FROM sqlite_schema WHERE name = ?', [name]) !== undefined;

/** Ends a transaction that failed, which SQLite may have done by itself. */
export const rollBack = (connection: Connection): void => {
  try {
    connection.run('ROLLBACK', []);
  } catch {
    // There is none any more.
  }
};

/** @returns a function that runs some work, which must finish before it returns, in one transaction */
const transaction =
  (begin: string) =>
  <T>(connection: Connection, work: () => T): T => {
    connection.run(begin, []);
    try {
      const result = work();
      connection.run('COMMIT', []);
      return result;
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  };

/** @returns the first value of the first row, or 0 */
export const numberOf = (connection: Connection, { sql, values }: Statement): number =>
  connection.row<[number]>(sql, values)?.[0] ?? 0;

/** For reads only. */
export const inSnapshot = transaction('BEGIN');
export const inTransaction = transaction('BEGIN IMMEDIATE');

/** Milliseconds to wait for other processes: one that starts on the same file, writes to it, or recovers its log after a crash. */
const BUSY_TIMEOUT_MS = 5_000;

/** Does work that waits for the lock meanwhile, and so does the event loop. */
export const waitingForLock = <T>(connection: Connection, work: () => T): T => {
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  try {
    return work();
  } finally {
    connection.exec('PRAGMA busy_timeout = 0');
  }
};

/** Pages of one step of a copy: 4 MiB. */
const STEP = 1_024;

/**
 * Copies a database, with what its log has, as it is when the copy begins; others read and write meanwhile. Without a
 * transaction around it SQLite would begin anew whenever another process commits, and on a busy service never end.
 *
 * @param to a file, which is overwritten
 * @param onStep told which share is done, from 0 to 1
 */
export const copyDatabase = async (location: string, to: string, onStep: (done: number) => void): Promise<void> => {
  const database = new DatabaseSync(location, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }) =>
      onStep(1 - remainingPages / totalPages);
    await backup(database, to, { rate: STEP, progress });
  } finally {
    database.close();
  }
};

/** What the errors of SQLite mean. */

/** https://sqlite.org/rescode.html: the low byte of an error code. */
const BUSY = 5;
/** It is none of SQLite's. */
const FOREIGN = 26;
/** Its pages contradict each other, or lack. */
const DAMAGED: readonly number[] = [11, FOREIGN];
const OUT_OF_SERVICE: ReadonlySet<number> = new Set([BUSY, 6, 8, 10, 13, 14, 15, ...DAMAGED]);

const UNWRITABLE: ReadonlyMap<number, Reason> = new Map([
  [13, 'full'],
  [8, 'read-only'],
]);

const primaryCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

const isClosed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';

/** @returns whether the database cannot do its work: locked, full, read-only, damaged, gone, closed */
export const isUnavailable = (error: unknown): boolean =>
  isClosed(error) || OUT_OF_SERVICE.has(primaryCode(error) ?? -1);

/** @returns whether the fault is the file's own, and not that of its disk or of rights */
export const isDamaged = (error: unknown): boolean => DAMAGED.includes(primaryCode(error) ?? -1);

/** @returns whether the file, its log or its folder cannot be opened, or not written to */
const isRefused = (error: unknown): boolean => [8, 14].includes(primaryCode(error) ?? -1);

/** @returns whether another connection holds the lock */
export const isBusy = (error: unknown): boolean => primaryCode(error) === BUSY;

/** @returns `Unavailable` for an error that says that the database cannot do its work; every other error as it is */
export const toUnavailable = (error: unknown): unknown =>
  isUnavailable(error) ? unavailable(error, UNWRITABLE.get(primaryCode(error) ?? 0)) : error;

const { R_OK, W_OK, X_OK } = constants;

/**
 * SQLite names the file, or nothing, whatever it may not write to: often that is the folder, which has the log.
 *
 * @returns an error that names what this process may not write to; the same where that is not the reason
 */
export const namingRights = (location: string, error: unknown): unknown => {
  if (!isRefused(error)) return error;
  const file = resolve(location);
  const needed = [
    [dirname(file), W_OK | X_OK],
    [file, R_OK | W_OK],
  ] as const;
  for (const [path, rights] of needed) {
    try {
      accessSync(path, rights);
    } catch (lacking) {
      const { code } = lacking as NodeJS.ErrnoException;
      if (code !== 'ENOENT') return new Error(`this user may not write to ${path} (${code})`, { cause: error });
    }
  }
  return error;
};
