/** A database that this process alone uses, so that another one can take its place. */
import { existsSync, linkSync, renameSync } from 'node:fs';
import { commandError } from '../commands/command-error.ts';
import { readChange } from '../store/sql/system-tables.ts';
import { type Connection, connect, glance, isBusy, isUnavailable } from '../store/sqlite/connection/connection.ts';
import { ownerOf } from '../store/sqlite/schema/log-mark.ts';
import { indexOf, logOf, removeAll } from './files.ts';

export interface Exclusive {
  /** Its last change number; 0 where it cannot be read. */
  readonly change: number;
  /** Keeps the database under another name, beside its own. @returns whether there was anything to keep */
  readonly keepAs: (name: string) => boolean;
  /** Lets others use what is in its place then. */
  readonly release: () => void;
}

/**
 * Every process that uses a database holds a lock on it that is shared, as long as it has it open. With the log folded in,
 * the file is all there is; and who has opened it just now, and waits, finds that it was moved and does not write.
 */
const lock = (connection: Connection): void => {
  connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE');
  connection.exec('BEGIN EXCLUSIVE; COMMIT');
};

/** @returns 0 where the database is too damaged to tell */
const changeIn = (connection: Connection): number => {
  try {
    return connection.row<[number]>(readChange, [])?.[0] ?? 0;
  } catch {
    return 0;
  }
};

/** A file that is no database is not opened: SQLite would fold a log into it all the same. */
const canOpen = (file: string): boolean => {
  if (!existsSync(file)) return false;
  try {
    if (glance(file, ownerOf) !== 'another program') return true;
  } catch {
    return false;
  }
  throw commandError('file-foreign', { file });
};

/** A second name for the same file, so that its own is never without one; not every file system knows that. */
const link = (file: string, name: string): void => {
  try {
    linkSync(file, name);
  } catch {
    renameSync(file, name);
  }
};

/**
 * @param file which need not exist, and may be damaged
 * @throws CommandError where another process uses it, or it is another program's
 */
export const takeOver = (file: string): Exclusive => {
  let connection: Connection | undefined;
  let change = 0;
  if (canOpen(file)) {
    connection = connect(file);
    try {
      lock(connection);
      change = changeIn(connection);
    } catch (error) {
      connection.close();
      connection = undefined;
      if (isBusy(error)) throw commandError('database-in-use', { file }, error);
      // It cannot be folded: its log is kept with it.
      if (!isUnavailable(error)) throw error;
    }
  }
  return {
    change,
    keepAs: (name) => {
      const kept = [file, logOf(file)].filter((each) => existsSync(each));
      if (kept.includes(logOf(file))) renameSync(logOf(file), logOf(name));
      removeAll(indexOf(file), `${file}-journal`);
      if (kept.includes(file)) link(file, name);
      return kept.length > 0;
    },
    release: () => connection?.close(),
  };
};
