/** The write-ahead log as a file on a disk that may be small. */
import { statfsSync, statSync } from 'node:fs';
import type { Connection } from './connection.ts';

/** Bytes of the log at which SQLite folds it into the database: at the most, because in 32 MiB most pages are written many times. */
const MOST = 33_554_432;
/** At the least, and as a share of what is free, so that a small disk has room for both. */
const LEAST = 262_144;
const SHARE = 8;
const PAGE = 4_096;

/** @returns bytes of a database's log */
const sizeOf = (location: string): number => statSync(`${location}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** @returns bytes that are free on a database's disk */
const freeFor = (location: string): number => {
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

/** @returns whether the log was folded into the database and cut to nothing; others that read or write may prevent it */
export const fold = (connection: Connection): boolean =>
  connection.row<[number]>('PRAGMA wal_checkpoint(TRUNCATE)', [])?.[0] === 0;

interface LogWatch {
  readonly location: string;
  /** Bytes that the log may have. */
  readonly limit: number;
  /** Folds it, where nobody prevents it. */
  readonly fold: () => Promise<boolean>;
  /** Ends what prevents it here. */
  readonly onPinned: (size: number) => void;
}

/** @returns a look at the log, which is folded where it has become too large, or leaves too little room on its disk */
export const logWatch = ({ location, limit, fold, onPinned }: LogWatch): (() => Promise<void>) => {
  let isFolding = false;
  return async () => {
    const size = sizeOf(location);
    const isLarge = size > LEAST && size > Math.min(limit, (freeFor(location) + size) / 2);
    if (!isLarge || isFolding) return;
    isFolding = true;
    try {
      if (await fold()) return;
      onPinned(size);
      await fold();
    } finally {
      isFolding = false;
    }
  };
};
