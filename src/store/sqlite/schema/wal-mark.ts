/**
 * A database file without its log lacks the last commits, but looks complete. So while it is in use, the file is marked as one
 * that needs its log; the log contains the same page without the mark.
 */
import { statSync } from 'node:fs';
import { type Connection, inTransaction, pragma } from '../connection/connection.ts';
import { isUnavailable } from '../connection/errors.ts';

/** Values of `PRAGMA application_id` in the header: "CDLC", and "cdlc" where the log is needed. */
const APPLICATION = 0x43444c43;
const NEEDS_WAL = 0x63646c63;

const applicationOf = (connection: Connection): number => pragma(connection, 'application_id');

/** Writes only what is not there, because a database is opened on a full disk, too. */
export const setHeader = (connection: Connection, version: number): void => {
  if (applicationOf(connection) !== APPLICATION) connection.exec(`PRAGMA application_id = ${APPLICATION}`);
  if (pragma(connection, 'user_version') !== version) connection.exec(`PRAGMA user_version = ${version}`);
};

/** @returns whose database it is, by its header */
export const ownerOf = (connection: Connection): 'ours' | 'nobody' | 'another program' => {
  const application = applicationOf(connection);
  if (application === 0) return 'nobody';
  return application === APPLICATION || application === NEEDS_WAL ? 'ours' : 'another program';
};

export const needsWal = (connection: Connection): boolean => applicationOf(connection) === NEEDS_WAL;

const set = (connection: Connection, application: number): void =>
  inTransaction(connection, () => connection.exec(`PRAGMA application_id = ${application}`));

/** @param connection must be able to write */
export const walMark = (connection: Connection, path: string) => {
  /** Modification time of the file when it was last marked. */
  let marked: bigint | undefined;
  /** Whether the log contains the mark too, from which it must be removed. */
  let isEverywhere = false;

  const timeOf = (): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
  const lift = (): void => {
    set(connection, APPLICATION);
    isEverywhere = false;
  };
  const renew = (): void => {
    const time = timeOf();
    if (time === undefined || time === marked) return;
    set(connection, NEEDS_WAL);
    isEverywhere = true;
    connection.row('PRAGMA wal_checkpoint(PASSIVE)', []);
    lift();
    marked = timeOf();
  };
  /** Ignores failures: the work is tried again after the next transaction. */
  const patiently = (work: () => void) => (): void => {
    try {
      work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  };
  return {
    /** To be called after each transaction: marks the file again where a checkpoint has copied the unmarked page into it. */
    renew: patiently(renew),
    /** To be called before the connection is closed. */
    close: patiently(() => isEverywhere && lift()),
  };
};
