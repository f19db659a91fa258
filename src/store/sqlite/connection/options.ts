import { refuseAs } from '../../../gateway/port/unavailable.ts';
import type { ConcurrencyLimits } from '../../../util/concurrency-limiter.ts';
import type { OtherCollections } from '../../sql/system/other-collections.ts';
import type { CommonOptions } from '../../store.ts';

/** How much a file may be read at a time, by what reads it. */
export interface SqliteLimits {
  /** Long lists: an open snapshot keeps the write-ahead log from shrinking. */
  readonly streams: ConcurrencyLimits;
  /** The thread for pages, and the one for whole lists: each reads one after the other. */
  readonly thread: ConcurrencyLimits;
}

export const SQLITE_LIMITS: SqliteLimits = {
  streams: { limit: 32, refuse: refuseAs('lists') },
  thread: { limit: 1, queue: 127, timeout: 5_000, refuse: refuseAs('reads') },
};

/** How a file is used; what is left out has a default. */
export interface SqliteOptions extends CommonOptions {
  /** What becomes of collections that the catalogue lacks, by default `refuse`. */
  readonly others?: OtherCollections | undefined;
  /** Bytes of the write-ahead log at which the lists that keep it from shrinking are broken off, 268,435,456. */
  readonly walLimit?: number | undefined;
  /** Bytes of the rows of items that are kept in memory, 0; a database in memory keeps none. */
  readonly cacheBytes?: number | undefined;
  /** `SQLITE_LIMITS`. */
  readonly limits?: SqliteLimits | undefined;
}
