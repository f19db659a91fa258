/** The write-ahead log as a file on a disk that may be small. */
import { statfsSync, statSync } from 'node:fs';
import type { Connection } from './connection.ts';

/** The most bytes of the log at which SQLite checkpoints it: in 32 MiB most pages are written many times. */
export const WAL_LIMIT = 33_554_432;
/** Bytes up to which the log is never too large. */
const LEAST = 262_144;
const PAGE = 4_096;
/** Milliseconds to wait for reads of other event loops, whose snapshots last for a turn. */
const PATIENCE_MS = 100;

export function walSize(location: string): number {
  return statSync(`${location}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

export function freeSpaceFor(location: string): number {
  const { bavail, bsize } = statfsSync(location);
  return bavail * bsize;
}

/** @returns the bytes of the log if it is too large, or leaves too little free space; else 0 */
export function walExcess(location: string, limit: number): number {
  const size = walSize(location);
  return size > LEAST && size > Math.min(limit, (freeSpaceFor(location) + size) / 2) ? size : 0;
}

/** Sets for a connection that writes at which size it checkpoints the log, and to which size it truncates it afterwards. */
export function setCheckpointSize(connection: Connection): void {
  connection.exec(`PRAGMA wal_autocheckpoint = ${WAL_LIMIT / PAGE}; PRAGMA journal_size_limit = ${WAL_LIMIT}`);
}

/**
 * Checkpoints the log and truncates it. @returns whether no reader prevented it; a writer, such as a long import, only delays
 * it
 */
export function checkpoint(connection: Connection): boolean {
  connection.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
  const [isPrevented] = connection.row<[number]>('PRAGMA wal_checkpoint(TRUNCATE)') ?? [];
  connection.exec('PRAGMA busy_timeout = 0');
  if (isPrevented === 0 || !connection.begin()) return true;
  connection.rollBack();
  return false;
}
