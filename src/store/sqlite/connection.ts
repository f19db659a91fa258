/// <reference types="node" preserve="true" />
import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Cell } from '../../gateway/model/field.ts';
import { findRank, searchTerms } from '../../gateway/model/search.ts';
import { type Reason, unavailable } from '../../gateway/port/unavailable.ts';
import { RANK } from '../sql/selections.ts';
import type { Statement } from '../sql/statement.ts';

/** Reads a number that differs after every commit of another connection, in 1.5 µs. */
export const READ_VERSION = 'PRAGMA data_version';

const STATEMENTS = 256;
/** Milliseconds to wait for other processes: one that starts on the same file, writes to it, or recovers its log after a crash. */
const BUSY_TIMEOUT_MS = 5_000;

export class Connection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.function(RANK, { deterministic: true }, (search, main, rest) =>
      findRank(searchTerms(String(search)), String(main), String(rest)),
    );
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  run(sql: string, values: readonly (Cell | Uint8Array)[] = []): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  row<R>(sql: string, values: readonly Cell[] = []): R | undefined {
    return this.#prepare(sql).get(...values) as R | undefined;
  }

  rows<R>({ sql, values }: Statement): R[] {
    return this.#prepare(sql).all(...values) as R[];
  }

  /** Reads one row at a time. The same statement must not be iterated twice at once. */
  iterate<R>({ sql, values }: Statement): IteratorObject<R> {
    return this.#prepare(sql).iterate(...values) as unknown as IteratorObject<R>;
  }

  number({ sql, values }: Statement): number {
    return this.row<[number]>(sql, values)?.[0] ?? 0;
  }

  pragma(name: string): number {
    return this.row<[number]>(`PRAGMA ${name}`)?.[0] ?? 0;
  }

  hasSchemaObject(name: string): boolean {
    return this.row('SELECT 1 FROM sqlite_schema WHERE name = ?', [name]) !== undefined;
  }

  begin(): boolean {
    try {
      this.run('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  /** Ends a transaction that failed, which SQLite may have done by itself. */
  rollBack(): void {
    try {
      this.run('ROLLBACK');
    } catch {}
  }

  inSnapshot<T>(work: () => T): T {
    this.run('BEGIN');
    return this.#finish(work);
  }

  inTransaction<T>(work: () => T): T {
    this.run('BEGIN IMMEDIATE');
    return this.#finish(work);
  }

  tryTransaction<T>(work: () => T): T | undefined {
    return this.begin() ? this.#finish(work) : undefined;
  }

  waitingForLock<T>(work: () => T): T {
    this.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    try {
      return work();
    } finally {
      this.exec('PRAGMA busy_timeout = 0');
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #finish<T>(work: () => T): T {
    try {
      const result = work();
      if (this.#database.isTransaction) this.run('COMMIT');
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  #prepare(sql: string): StatementSync {
    const cachedStatement = this.#statements.get(sql);
    if (cachedStatement) return cachedStatement;
    if (this.#statements.size >= STATEMENTS) this.#statements.clear();
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    this.#statements.set(sql, statement);
    return statement;
  }
}

export function connect(location: string, { readOnly = false } = {}): Connection {
  // Timeout 0: with any other, BEGIN IMMEDIATE would block the event loop while it waits for a lock.
  return new Connection(new DatabaseSync(location, { readOnly, timeout: 0, enableForeignKeyConstraints: true }));
}

/** Reads a file without locks. SQLite does it, because closing any other descriptor of the file would lose its locks (POSIX); the file may be shorter than its header says. */
export function readUnlocked<T>(file: string, read: (connection: Connection) => T): T {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const connection = new Connection(new DatabaseSync(url, { readOnly: true, defensive: false }));
  try {
    connection.exec('PRAGMA writable_schema = ON');
    return read(connection);
  } finally {
    connection.close();
  }
}

/** The most bytes of the log at which SQLite checkpoints it: in 32 MiB most pages are written many times. */
export const WAL_LIMIT = 33_554_432;
const PAGE = 4_096;
/** Milliseconds to wait for reads of other event loops, whose snapshots last for a turn. */
const PATIENCE_MS = 100;

export function setCheckpointSize(connection: Connection): void {
  connection.exec(`PRAGMA wal_autocheckpoint = ${WAL_LIMIT / PAGE}; PRAGMA journal_size_limit = ${WAL_LIMIT}`);
}

/** Checkpoints the log and truncates it. @returns whether no reader prevented it; a writer only delays it */
export function checkpoint(connection: Connection): boolean {
  connection.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
  const [isPrevented] = connection.row<[number]>('PRAGMA wal_checkpoint(TRUNCATE)') ?? [];
  connection.exec('PRAGMA busy_timeout = 0');
  if (isPrevented === 0 || !connection.begin()) return true;
  connection.rollBack();
  return false;
}

const STEP = 1_024;

/** Copies a database as it is now. Without a transaction SQLite would begin anew whenever another process commits. */
export async function copyDatabase(location: string, to: string, onStep: (done: number) => void): Promise<void> {
  const database = new DatabaseSync(location, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }) =>
      onStep(1 - remainingPages / totalPages);
    await backup(database, to, { rate: STEP, progress });
  } finally {
    database.close();
  }
}

/** The low bytes of error codes (https://sqlite.org/rescode.html). */
const CODES = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notDatabase: 26,
};
const OUT_OF_SERVICE: readonly number[] = Object.values(CODES);

function primaryCode(error: unknown): number {
  const hasCode = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
  return hasCode ? Number(error.errcode) & 0xff : 0;
}

export function isUnavailable(error: unknown): boolean {
  const isClosed = error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
  return isClosed || OUT_OF_SERVICE.includes(primaryCode(error));
}

/** @returns whether the fault is the file's own, and not that of its disk or of rights */
export function isDamaged(error: unknown): boolean {
  return [CODES.corrupt, CODES.notDatabase].includes(primaryCode(error));
}

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === CODES.busy;
}

export function toUnavailable(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  const reasons: Readonly<Record<number, Reason>> = { [CODES.full]: 'full', [CODES.readOnly]: 'read-only' };
  return unavailable(error, reasons[primaryCode(error)]);
}

export function mapErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toUnavailable(error);
  }
}

const { R_OK, W_OK, X_OK } = constants;

/** Names what this process may not write to: SQLite names the file, or nothing, and often it is the folder, which has the log. */
export function explainRights(location: string, error: unknown): unknown {
  if (![CODES.readOnly, CODES.cannotOpen].includes(primaryCode(error))) return error;
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
}
