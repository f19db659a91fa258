import type { Values } from '../commands/command-error.ts';
import type { CommandText } from '../texts/command-text.ts';
import type { Link } from '../transfer/link.ts';

/** An inconsistency in a database. */
export interface Finding {
  readonly text: CommandText;
  readonly values: Values;
  /** Repairs derived data, also while other processes write. */
  readonly repair?: (link: Link) => Promise<void>;
}
