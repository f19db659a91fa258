import { statfsSync, statSync } from 'node:fs';
import { type Connection, isBusy } from './connection.ts';

/** The write-ahead log as a file on a disk that may be small. */

/** The most bytes of the log at which SQLite checkpoints it: in 32 MiB most pages are written many times. */
export const WAL_LIMIT = 33_554_432;
/** Bytes up to which the log is never too large. */
const LEAST = 262_144;
const PAGE = 4_096;

/** @returns bytes of a database's log */
export const walSize = (location: string): number => statSync(`${location}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** @returns bytes that are free on a database's disk */
export const freeSpaceFor = (location: string): number => {
  const { bavail, bsize } = statfsSync(location);
  return bavail * bsize;
};

/** Tells a connection that writes the size at which to checkpoint the log, and to what size to truncate it afterwards. */
export const setCheckpointSize = (connection: Connection): void =>
  connection.exec(`PRAGMA wal_autocheckpoint = ${WAL_LIMIT / PAGE}; PRAGMA journal_size_limit = ${WAL_LIMIT}`);

const isLocked = (connection: Connection): boolean => {
  try {
    connection.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  }
};

/** Milliseconds to wait for reads of other event loops, whose snapshots last for a turn. */
const PATIENCE_MS = 100;

/**
 * Checkpoints the log and truncates it.
 *
 * @returns whether no reader prevented it; a writer, such as a long import, only delays it
 */
export const checkpoint = (connection: Connection): boolean => {
  connection.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
  const [isPrevented] = connection.row<[number]>('PRAGMA wal_checkpoint(TRUNCATE)', []) ?? [];
  connection.exec('PRAGMA busy_timeout = 0');
  return isPrevented === 0 || isLocked(connection);
};

/** @returns bytes of the log where it is too large, or leaves too little free space; else 0 */
export const walExcess = (location: string, limit: number): number => {
  const size = walSize(location);
  return size > LEAST && size > Math.min(limit, (freeSpaceFor(location) + size) / 2) ? size : 0;
};
