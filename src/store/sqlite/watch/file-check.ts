/** Whether the file at a path is still the database that was opened: others may move it, or copy something over it. */
import { type BigIntStats, statSync } from 'node:fs';
import { type Connection, glance, isBusy, pragma } from '../connection/connection.ts';
import { readStamp, type Stamp } from '../schema/stamp.ts';

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
 * @param mayBeShort only while it grows
 * @returns what the file tells without its log: `undefined` where all commits so far are in the log
 * @throws where it is no database, or damaged
 */
const stampIn = (path: string, mayBeShort: boolean): Stamp | undefined =>
  glance(
    path,
    (connection) => (pragma(connection, 'schema_version') === 0 ? undefined : readStamp(connection)),
    mayBeShort,
  );

/**
 * Only checkpoints change the file, each to a later state of the same database, and none to a later one than its log tells.
 *
 * @param path the file, without symbolic links
 * @param main a connection to it
 * @returns a look at the file, which returns what is wrong with it
 */
export const fileCheck = (path: string, main: Connection): (() => string | undefined) => {
  /** The file as it was last found right, and what it told. */
  let seen = statSync(path, { bigint: true });
  let known = stampIn(path, true);
  let last = seen;

  const isBetween = (count: 'change' | 'schema', found: Stamp, latest: Stamp): boolean =>
    found[count] >= (known?.[count] ?? 0) && found[count] <= latest[count];
  const isSame = (found: Stamp): boolean => {
    // Later than the file, so that it cannot be behind it.
    const latest = readStamp(main);
    const isOurs = found.lineage === latest.lineage || found.lineage === known?.lineage;
    return isOurs && isBetween('change', found, latest) && isBetween('schema', found, latest);
  };
  /** @returns `undefined` where the database cannot be asked at the moment, because another process recovers its log */
  const isRight = (now: BigIntStats): boolean | undefined => {
    try {
      const stamp = stampIn(path, now.size >= seen.size);
      if (stamp ? !isSame(stamp) : known) return false;
      known = stamp;
      return now.size > 0;
    } catch (error) {
      return isBusy(error) ? undefined : false;
    }
  };
  return () => {
    const now = statsOf(path);
    if (!now) return `is gone from its place: put it back. ${restart(path)}`;
    if (now.dev !== seen.dev || now.ino !== seen.ino) return `was replaced by another file. ${restart(path)}`;
    if (now.mtimeNs === seen.mtimeNs && now.size === seen.size) return undefined;
    // A checkpoint writes page after page, on a busy machine for longer than a look: what is wrong is so twice.
    const isSettled = now.mtimeNs === last.mtimeNs && now.size === last.size;
    last = now;
    const right = isRight(now);
    if (right === false && isSettled) return `was overwritten by another program. ${restart(path)}`;
    // Otherwise the next look asks again.
    if (right) seen = now;
    return undefined;
  };
};
