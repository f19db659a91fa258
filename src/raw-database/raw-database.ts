import type { Cell } from '../model/field.ts';
import { DatabaseError } from '../store/database-error.ts';
import type { Statement } from '../store/sql/statement.ts';
import type { StoredTable } from '../store/sql/tables.ts';
import { messageOf } from '../store/unavailable.ts';

/** Rows that are read, sent and committed together, which bounds memory. */
export const CHUNK_ROWS = 500;

export type Rows = readonly (readonly Cell[])[];

/**
 * A database as its tables are stored, for commands that read or fill whole tables without the rules of the store. Its errors are
 * `DatabaseError`s with its name and the reason.
 */
export interface RawDatabase {
  /** Its URL without user and password. */
  readonly name: string;
  /** The same for two connections to one database, whatever its URL. */
  readonly identity: string;
  /** Removes the mark that the database belongs to the service. */
  readonly unregister: Statement;
  /** Fails where the database is another program's, or of a newer version. */
  readonly check: () => Promise<void>;
  /** Names of its tables. */
  readonly tables: () => Promise<ReadonlySet<string>>;
  /** Creates what is missing of the service's tables. */
  readonly prepare: () => Promise<void>;
  readonly rows: <R>(statement: Statement) => Promise<readonly R[]>;
  /** Chunk by chunk, within a snapshot only, one stream at a time. */
  readonly stream: (statement: Statement) => AsyncIterable<Rows>;
  /** All of them, durably, or none. */
  readonly insert: (table: StoredTable, rows: Rows) => Promise<void>;
  /** All reads within the work see one state of the database. */
  readonly snapshot: <T>(work: () => Promise<T>) => Promise<T>;
  readonly transaction: (work: () => Promise<void>) => Promise<void>;
  /** Within a transaction: holds up every start of the service, and of another transfer, until it ends. */
  readonly lock: () => Promise<void>;
  /** The change number as it is now, whatever a snapshot contains. */
  readonly change: () => Promise<number>;
  /** Updates the database's statistics, for its query plans. */
  readonly analyze: (table: StoredTable) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** @returns the same error for a fault in our own code; for every other one what an operator reads */
export const toDatabaseError = (name: string, error: unknown): unknown => {
  const isOurs = !(error instanceof Error) || error instanceof TypeError || error instanceof RangeError;
  return isOurs ? error : new DatabaseError(`${name}: ${messageOf(error)}`, { cause: error });
};

/** @returns functions that convert errors to `DatabaseError` */
export const errorMapping = (name: string) => ({
  one:
    <A extends readonly unknown[], T>(work: (...args: A) => T | Promise<T>): ((...args: A) => Promise<T>) =>
    async (...args) => {
      try {
        return await work(...args);
      } catch (error) {
        throw toDatabaseError(name, error);
      }
    },
  many: (work: (statement: Statement) => AsyncIterable<Rows>): ((s: Statement) => AsyncIterable<Rows>) =>
    async function* (statement) {
      try {
        yield* work(statement);
      } catch (error) {
        throw toDatabaseError(name, error);
      }
    },
});
