/**
 * A file without its log lacks the last commits, and looks whole. So while it is in use the file itself is marked as one that
 * needs its log, and only in the log does that mark not stand any more.
 */
import { statSync } from 'node:fs';
import { type Connection, isUnavailable, pragma, rollBack } from '../connection/connection.ts';

/** Stand in the header (`PRAGMA application_id`): "CDLC", and "cdlc" where the log is needed. */
const APPLICATION = 0x43444c43;
const NEEDS_LOG = 0x63646c63;

export const setApplication = `PRAGMA application_id = ${APPLICATION}`;

const applicationOf = (connection: Connection): number => pragma(connection, 'application_id');

/** @returns whose database it is, by its header */
export const ownerOf = (connection: Connection): 'ours' | 'nobody' | 'another program' => {
  const application = applicationOf(connection);
  if (application === 0) return 'nobody';
  return application === APPLICATION || application === NEEDS_LOG ? 'ours' : 'another program';
};

export const needsLog = (connection: Connection): boolean => applicationOf(connection) === NEEDS_LOG;

const set = (connection: Connection, application: number): void => {
  connection.run('BEGIN IMMEDIATE', []);
  try {
    connection.exec(`PRAGMA application_id = ${application}`);
    connection.run('COMMIT', []);
  } catch (error) {
    rollBack(connection);
    throw error;
  }
};

export interface LogMark {
  /** For after each transaction: marks a file that has been written to, for its log's mark was folded in. */
  readonly renew: () => void;
  /** For before the connection is closed. */
  readonly close: () => void;
}

/** @param connection one that writes */
export const logMark = (connection: Connection, path: string): LogMark => {
  /** When the file was last changed, once it is marked. */
  let marked: bigint | undefined;
  /** Whether the mark stands in the log too, where it must not stay. */
  let isEverywhere = false;

  const timeOf = (): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
  const lift = (): void => {
    set(connection, APPLICATION);
    isEverywhere = false;
  };
  const renew = (): void => {
    const time = timeOf();
    if (time === undefined || time === marked) return;
    set(connection, NEEDS_LOG);
    isEverywhere = true;
    connection.row('PRAGMA wal_checkpoint(PASSIVE)', []);
    lift();
    marked = timeOf();
  };
  /** What fails is tried again after the next transaction. */
  const patiently = (work: () => void) => (): void => {
    try {
      work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  };
  return { renew: patiently(renew), close: patiently(() => isEverywhere && lift()) };
};
