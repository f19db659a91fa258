import { refuseAs } from '../../../gateway/port/unavailable.ts';
import type { ConcurrencyLimits } from '../../../util/concurrency-limiter.ts';

/** The most requests that wait for a connection. */
export const WAITING = 1_000;

/** How much is read at a time, by what is read. */
export type PostgresLimits = ReturnType<typeof postgresLimits>;

/**
 * Milliseconds that a read may wait beyond the time limit of a statement: by then it is known whether the server responds at
 * all, and nobody waits for a replica that does not.
 */
const MARGIN = 1_000;

/**
 * Each kind of list may use a share of the connections, so that none waits behind a slower kind, and no item or write behind a
 * list.
 *
 * @param size connections
 * @param timeout milliseconds that a statement may take
 */
export const postgresLimits = (size: number, timeout: number) => {
  const share = (part: number, reason: 'reads' | 'database'): ConcurrencyLimits => {
    const limit = Math.max(1, Math.floor(size * part));
    return { limit, queue: WAITING - limit, timeout: timeout + MARGIN, refuse: refuseAs(reason) };
  };
  return {
    /** Statements for items of one collection, of up to 256 each. */
    items: { limit: 4, queue: 36, timeout, refuse: refuseAs('database') },
    /** Long lists: each has a connection of its own. */
    streams: { limit: size, refuse: refuseAs('lists') },
    /** Lists that read every row: pages of them, and whole ones. */
    scannedPages: share(0.3, 'reads'),
    scannedLists: share(0.2, 'reads'),
    /** Whole lists by an index begin quickly, but their first chunks occupy the event loop. */
    indexedLists: share(0.2, 'database'),
    /** Usually short. */
    nestedLists: share(0.3, 'database'),
  };
};
