/** A database that only this process uses, so that another can replace it. */
import { existsSync, linkSync, renameSync } from 'node:fs';
import { readChange } from '../../store/sql/system-tables.ts';
import { type Connection, connect, readUnlocked } from '../../store/sqlite/connection/connection.ts';
import { isBusy, isUnavailable } from '../../store/sqlite/connection/errors.ts';
import { ownerOf } from '../../store/sqlite/schema/header.ts';
import { commandError } from '../commands/command-error.ts';
import { removeAll, walFile, walIndexFile } from './files.ts';

/**
 * Every process holds a shared lock on a database while it has it open. With its log folded in, the file is complete; a process
 * that has just opened it and waits will find that it was moved, and will not write.
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

/** A file that is not a database is not opened: SQLite would fold a log into it all the same. */
const canOpen = (file: string): boolean => {
  if (!existsSync(file)) return false;
  try {
    if (readUnlocked(file, ownerOf) !== 'another program') return true;
  } catch {
    return false;
  }
  throw commandError('file-foreign', { file });
};

/** Adds a second name for a file, so that the first never points at nothing; not every file system supports that. */
const link = (file: string, name: string): void => {
  try {
    linkSync(file, name);
  } catch {
    renameSync(file, name);
  }
};

/**
 * @param file may be missing or damaged
 * @throws CommandError where another process uses it, or it is another program's
 */
export const takeOver = (file: string) => {
  let connection: Connection | undefined;
  /** The last change number of the database; 0 where it cannot be read. */
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
    /** Keeps the database under another name, beside its own. @returns whether there was anything to keep */
    keepAs: (name: string): boolean => {
      const kept = [file, walFile(file)].filter((each) => existsSync(each));
      if (kept.includes(walFile(file))) renameSync(walFile(file), walFile(name));
      removeAll(walIndexFile(file), `${file}-journal`);
      if (kept.includes(file)) link(file, name);
      return kept.length > 0;
    },
    /** Lets other processes use the database that replaced it. */
    release: (): void => connection?.close(),
  };
};
