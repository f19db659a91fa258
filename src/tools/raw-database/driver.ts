import type { Cell } from '../../gateway/model/field.ts';
import type { Statement, StoredTable } from '../../store/sql/statement.ts';

/** Rows that are read and sent together, which bounds memory. */
export const CHUNK_ROWS = 500;

type Rows = readonly (readonly Cell[])[];

/** One connection to a database, and how its kind differs from the other. */
export interface Driver extends AsyncDisposable {
  /** The same for two connections to one database, whatever its URL. */
  readonly identity: string;
  /** Fails where the database is another program's, or of a newer version. */
  readonly check: () => Promise<void>;
  /** Creates what is missing of the service's tables. */
  readonly prepare: () => Promise<void>;
  readonly exec: (sql: string) => Promise<unknown>;
  readonly rows: <R>(statement: Statement) => Promise<readonly R[]>;
  /** Chunk by chunk, within a snapshot or a transaction only, one stream at a time. */
  readonly stream: (statement: Statement) => AsyncIterable<Rows>;
  readonly insert: (table: StoredTable, rows: Rows) => Promise<void>;
  readonly sql: {
    /** Begins a transaction whose reads all see one state of the database. */
    readonly beginSnapshot: string;
    readonly beginTransaction: string;
    /** Selects the names of all tables. */
    readonly tables: string;
    /** Updates the statistics for query plans, where plans need them. */
    readonly analyze: string;
  };
}
