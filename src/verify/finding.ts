import type { Values } from '../commands/command-error.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import type { CommandText } from '../texts/command-text.ts';

/** An inconsistency in a database. */
export interface Finding {
  readonly text: CommandText;
  readonly values: Values;
  /** Repairs derived data, also while other processes write. */
  readonly repair?: (database: RawDatabase) => Promise<void>;
}
