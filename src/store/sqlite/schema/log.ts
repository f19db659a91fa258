/** The write-ahead log as a file on a disk that may be small. */
import { statfsSync, statSync } from 'node:fs';
import { type Connection, isBusy } from '../connection/connection.ts';

/** Bytes of the log at which SQLite folds it into the database: at the most, because in 32 MiB most pages are written many times. */
export const MOST = 33_554_432;
/** At the least, and as a share of what is free, so that a small disk has room for both. */
const LEAST = 262_144;
const SHARE = 8;
const PAGE = 4_096;

/** @returns bytes of a database's log */
export const sizeOf = (location: string): number => statSync(`${location}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** @returns bytes that are free on a database's disk */
export const freeFor = (location: string): number => {
  const { bavail, bsize } = statfsSync(location);
  return bavail * bsize;
};

/** @returns when to fold the log: a power of two, so that it seldom changes */
const foldSize = (free: number): number =>
  Math.min(MOST, Math.max(LEAST, 2 ** Math.floor(Math.log2(Math.max(1, free / SHARE)))));

/** Tells a connection that writes when to fold the log, and to what size to cut it afterwards. */
export const setFoldSize = (connection: Connection, size = MOST): void =>
  connection.exec(`PRAGMA wal_autocheckpoint = ${size / PAGE}; PRAGMA journal_size_limit = ${size}`);

/** @returns what makes a connection fold the log in time for the room that the disk has; for before each transaction */
export const foldSizeSetter = (connection: Connection, location: string): (() => void) => {
  let known = MOST;
  return () => {
    const size = foldSize(freeFor(location));
    if (size === known) return;
    setFoldSize(connection, size);
    known = size;
  };
};

const isLocked = (connection: Connection): boolean => {
  try {
    connection.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  }
};

/**
 * Folds the log into the database and cuts it to nothing.
 *
 * @returns whether no reader prevented it; who writes at the moment, as a long import does, only puts it off
 */
export const fold = (connection: Connection): boolean =>
  connection.row<[number]>('PRAGMA wal_checkpoint(TRUNCATE)', [])?.[0] === 0 || isLocked(connection);

/** @returns bytes of the log where it is too large, or leaves too little room on its disk; else 0 */
export const excessOf = (location: string, limit: number): number => {
  const size = sizeOf(location);
  return size > LEAST && size > Math.min(limit, (freeFor(location) + size) / 2) ? size : 0;
};
