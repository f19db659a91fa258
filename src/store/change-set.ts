import type { NewRecord } from './idempotency.ts';

/** Change numbers count from here, in `TICKS` a millisecond: 2^53 of them last until the year 3140. */
const EPOCH = Date.UTC(2025, 0);
const TICKS = 256;

/**
 * After so many milliseconds without a change, the gap in the numbers is stored; so is any before the first commit of whoever has
 * opened the database. No database is restored, and no other one promoted, in less: a position in a gap is one of changes that
 * were lost.
 */
export const PAUSE = 2_000;

/** What a transaction changes besides its rows, written once at its end. */
export type ChangeSet = ReturnType<typeof openChangeSet>;

/** @returns the change number of a time in milliseconds since 1970 */
export function changeAt(time: number): number {
  return (time - EPOCH) * TICKS;
}

/**
 * Numbers follow the clock, so that a database that was restored, or promoted without the last commits, continues beyond
 * whatever was lost and never assigns a number twice. If the clock is behind the last number, they count on from that.
 *
 * @param last is the last change number that was taken before
 * @param minPause is the number of milliseconds from which on a gap is stored
 */
export function openChangeSet(last: number, now = Date.now(), minPause = PAUSE) {
  let change = last;
  const least = changeAt(now);
  const records = new Map<string, NewRecord>();
  return {
    last,
    /** Takes the next number. An update that changes nothing takes none. */
    nextChange: (): number => {
      change = Math.max(change + 1, least);
      return change;
    },
    /** @returns the last number taken, if any was */
    lastChange: () => (change === last ? undefined : change),
    /** @returns the number before its own, if there is a gap to store */
    pause: () => (change !== last && least - 1 - last > minPause * TICKS ? least - 1 : undefined),
    /** Stores the result of a request that may be sent again. */
    keep: (record: NewRecord): void => void records.set(record.key, record),
    kept: (key: string): NewRecord | undefined => records.get(key),
    records: (): readonly NewRecord[] => [...records.values()],
  };
}
