import type { Values } from '../commands/command-error.ts';
import type { CommandText } from '../texts/command-text.ts';
import type { Link } from '../transfer/link.ts';

/** Something that is wrong with a database. */
export interface Finding {
  readonly text: CommandText;
  readonly values: Values;
  /** Mends it, where it follows from something else; also while others write. */
  readonly repair?: (link: Link) => Promise<void>;
}
