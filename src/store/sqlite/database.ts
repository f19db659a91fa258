import type { Commit } from '../commit-queue.ts';
import type { Store } from '../store.ts';
import type { LongReads } from './reads/reads.ts';

/** What a database in a file does in another way than one in memory. */
export interface Database {
  readonly commit: Commit;
  readonly importRows: Store['importRows'];
  readonly long: LongReads;
  /** A statement whose result differs after every commit. */
  readonly version: string;
  /** Where quotas are counted. */
  readonly quotas: string;
  readonly size: Store['size'];
  /** Whether it can be read, or also written. */
  readonly isReady: (toWrite: boolean) => boolean;
  /** Ends all imports, which may take as long as their last step. */
  readonly endImports: () => Promise<void>;
  /** Called when nothing is read or written any more. */
  readonly close: () => Promise<void>;
}
