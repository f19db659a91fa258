import type { Values } from '../commands/command-error.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { changeAt } from '../store/change-set.ts';
import { type Statement, statement } from '../store/sql/statement.ts';
import { LOCK_CHANGE, writeChange } from '../store/sql/system-tables.ts';
import type { CommandText } from '../texts/command-text.ts';

/** An inconsistency in a database. */
export interface Finding {
  readonly text: CommandText;
  readonly values: Values;
  /** Makes derived data anew, also while other processes write. */
  readonly repair?: (database: RawDatabase) => Promise<void>;
}

/** A row as it is checked. */
interface CheckedRow {
  readonly created: number;
  /** One for each field. */
  readonly cells: readonly Cell[];
  /** One for each field that is folded. */
  readonly folded: readonly Cell[];
}

/** Looks at each row of a collection, and then knows what is wrong. */
export interface RowCheck {
  readonly row: (row: CheckedRow) => void;
  readonly findings: () => readonly Finding[];
}

/** The index of words of a collection. */
export interface WordIndex {
  /** Of its table. */
  readonly name: string;
  /** Whether it contains the words of all rows, and no others; within a snapshot. */
  readonly isRight: (database: RawDatabase) => Promise<boolean>;
  /** Statements that empty it; the preparation of the database fills it again. */
  readonly empty: readonly Statement[];
}

/** What each kind of database does in its own way. */
export interface DatabaseChecks {
  /** The database's own check, outside of a snapshot, which an error would end. */
  readonly own: (database: RawDatabase) => Promise<{
    readonly findings: readonly Finding[];
    /** Tables of indexes of words that cannot be read. */
    readonly damaged: ReadonlySet<string>;
    /** Whether the database has compared its indexes with its tables. */
    readonly isChecked: boolean;
  }>;
  /** Where the service keeps an index of words itself. */
  readonly indexOf?: (collection: Collection) => WordIndex;
}

/**
 * Runs work in a transaction that waits for the current writer, blocks the next, and takes a change number, which invalidates
 * lists cached by clients and the service.
 *
 * @param least the number is not below this one
 */
export const inChange = (database: RawDatabase, work: () => Promise<void>, least = 0): Promise<void> =>
  database.transaction(async () => {
    const [[last = 0] = []] = await database.rows<[number]>(statement(LOCK_CHANGE));
    await database.rows(statement(writeChange, [Math.max(last + 1, least, changeAt(Date.now()))]));
    await work();
  });
