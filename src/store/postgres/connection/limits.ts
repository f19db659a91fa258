import type { GateLimits } from '../../gate.ts';

/** The most requests that wait for a connection. */
export const WAITING = 1_000;

/** How much is read at a time, by what is read. */
export interface PostgresLimits {
  /** Long lists: each has a connection of its own. */
  readonly streams: GateLimits;
  /** Lists that read every row: pages of them, and whole ones. */
  readonly scannedPages: GateLimits;
  readonly scannedLists: GateLimits;
  /** Whole lists by an index begin quickly, but their first chunks occupy the event loop. */
  readonly indexedLists: GateLimits;
  /** Usually short. */
  readonly nestedLists: GateLimits;
}

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
export const postgresLimits = (size: number, timeout: number): PostgresLimits => {
  const share = (part: number, reason: 'reads' | 'database'): GateLimits => {
    const places = Math.max(1, Math.floor(size * part));
    return { places, waiting: WAITING - places, giveUpMs: timeout + MARGIN, reason };
  };
  return {
    streams: { places: size, waiting: 0, giveUpMs: 0, reason: 'lists' },
    scannedPages: share(0.3, 'reads'),
    scannedLists: share(0.2, 'reads'),
    indexedLists: share(0.2, 'database'),
    nestedLists: share(0.3, 'database'),
  };
};
