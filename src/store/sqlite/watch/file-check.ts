/** Checks whether the file at a path is still the database that was opened: others may move it, or overwrite it. */
import { type BigIntStats, statSync } from 'node:fs';
import { type Connection, pragma, readUnlocked } from '../connection/connection.ts';
import { isBusy, isForeign } from '../connection/errors.ts';
import { readStamp, type Stamp } from '../schema/stamp.ts';

/**
 * How often a fault must be seen without any change of the file: a checkpoint writes page by page, and on a busy machine stands
 * still for longer than the time between two checks. Only while the first one of a new database is under way can the file not
 * be read.
 */
const TWICE = 2;
const FIRST = 20;

const restart = (path: string): string =>
  `Nothing is read or written any more. Stop the service, remove ${path}-wal and ${path}-shm, put the right file in place and start it again`;

const statsOf = (path: string): BigIntStats | undefined => {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

/**
 * @param mayBeShort whether the file may lack pages, as it does only while it grows
 * @returns the stamp in the file without its log; `undefined` where all commits are still in the log
 * @throws where it is not a database, or damaged
 */
const stampIn = (path: string, mayBeShort: boolean): Stamp | undefined =>
  readUnlocked(
    path,
    (connection) => (pragma(connection, 'schema_version') === 0 ? undefined : readStamp(connection)),
    mayBeShort,
  );

/**
 * Only checkpoints may change the file, each to a later state of the same database, and never beyond the state of its log.
 *
 * @param path the file, without symbolic links
 * @param main a connection to it
 * @returns checks the file; its result is what is wrong with it, or `undefined`
 */
export const fileCheck = (path: string, main: Connection): (() => string | undefined) => {
  /** The file when it was last found valid, and its stamp. */
  let seen = statSync(path, { bigint: true });
  let known = stampIn(path, true);
  let last = seen;
  /** How often in turn `last` was not valid. */
  let times = 0;

  const isBetween = (count: 'change' | 'schema', found: Stamp, latest: Stamp): boolean =>
    found[count] >= (known?.[count] ?? 0) && found[count] <= latest[count];
  const isSame = (found: Stamp): boolean => {
    // Read after the file, so that it cannot be behind it.
    const latest = readStamp(main);
    const isOurs = found.lineage === latest.lineage || found.lineage === known?.lineage;
    return isOurs && isBetween('change', found, latest) && isBetween('schema', found, latest);
  };
  /** @returns how often it must be found wrong to be a fault: 0 where it is right */
  const faultAfter = (now: BigIntStats): number => {
    try {
      const stamp = stampIn(path, now.size >= seen.size);
      if ((stamp ? !isSame(stamp) : known) || now.size === 0n) return TWICE;
      known = stamp;
      return 0;
    } catch (error) {
      // Busy: another process recovers the log, and the next call checks again.
      if (isBusy(error)) return Number.POSITIVE_INFINITY;
      return known || now.size < seen.size || isForeign(error) ? TWICE : FIRST;
    }
  };
  return () => {
    const now = statsOf(path);
    if (!now) return `is gone from its place: put it back. ${restart(path)}`;
    if (now.dev !== seen.dev || now.ino !== seen.ino) return `was replaced by another file. ${restart(path)}`;
    if (now.mtimeNs === seen.mtimeNs && now.size === seen.size) return undefined;
    const isSettled = now.mtimeNs === last.mtimeNs && now.size === last.size;
    last = now;
    const most = faultAfter(now);
    times = isSettled ? times + 1 : 1;
    if (most === 0) seen = now;
    else if (times >= most) return `was overwritten by another program. ${restart(path)}`;
    return undefined;
  };
};
