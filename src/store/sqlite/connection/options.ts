import type { OnCommit } from '../../observed-commit.ts';
import type { OtherCollections } from '../../sql/system/other-collections.ts';

/** How a file is used; what is left out has a default. */
export interface SqliteOptions {
  /** What becomes of collections that the catalogue lacks, by default `refuse`. */
  readonly others?: OtherCollections | undefined;
  /** Bytes of the write-ahead log at which the lists that keep it from shrinking are broken off, 268,435,456. */
  readonly logLimit?: number | undefined;
  /** Logs a line for the operator. */
  readonly report?: ((message: string) => void) | undefined;
  readonly onCommit?: OnCommit | undefined;
}
