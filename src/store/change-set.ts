import type { FindRecord, NewRecord } from './idempotency.ts';

/** What a transaction changes besides its rows, written once at its end. */
export interface ChangeSet {
  /** The last change number before the transaction, whose own numbers are all later. */
  readonly last: number;
  /** Takes the next change number. An update that changes nothing takes none. */
  readonly nextChange: () => number;
  /** The last number taken, or `undefined` where none was. */
  readonly lastChange: () => number | undefined;
  /** The number before its own where a pause is kept, as nothing was written for a while before. */
  readonly pause: () => number | undefined;
  /** Stores the result of a request that may be sent again. */
  readonly keep: (record: NewRecord) => void;
  /** Finds a result that this transaction stores. */
  readonly kept: FindRecord;
  readonly records: () => readonly NewRecord[];
}

/** Change numbers count from here, in `TICKS` a millisecond: 2^53 of them last until the year 3140. */
const EPOCH = Date.UTC(2025, 0);
const TICKS = 256;

/**
 * Milliseconds without a change from which on a pause is kept; so is any before the first commit of whoever has opened the
 * database. No database is restored, and no other one promoted, in less: a position in a pause is one of changes that were lost.
 */
export const PAUSE = 2_000;

/** Shared: most transactions store none. */
const NO_RECORDS: readonly NewRecord[] = [];

/** @returns the change number of a time in milliseconds since 1970 */
export const changeAt = (time: number): number => (time - EPOCH) * TICKS;

/**
 * Numbers follow the clock, so that a database that was restored, or promoted without the last commits, continues beyond
 * whatever was lost and never assigns a number twice. Where the clock is behind the last number, they count on from that.
 *
 * @param last the last change number that was taken before
 * @param now milliseconds since 1970
 * @param quiet milliseconds from which on a pause is kept
 */
export const openChangeSet = (last: number, now = Date.now(), quiet = PAUSE): ChangeSet => {
  let change = last;
  const least = changeAt(now);
  let records: Map<string, NewRecord> | undefined;
  return {
    last,
    nextChange: () => {
      change = Math.max(change + 1, least);
      return change;
    },
    lastChange: () => (change === last ? undefined : change),
    pause: () => (change !== last && least - 1 - last > quiet * TICKS ? least - 1 : undefined),
    keep: (record) => {
      records ??= new Map();
      records.set(record.key, record);
    },
    kept: (key) => records?.get(key),
    records: () => (records ? [...records.values()] : NO_RECORDS),
  };
};
