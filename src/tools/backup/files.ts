/** Files that appear complete or not at all. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { partOf } from '../commands/replaceable.ts';

/** The write-ahead log (WAL) of a database, and its index, which processes that use the database share. */
export const walFile = (file: string): string => `${file}-wal`;
export const walIndexFile = (file: string): string => `${file}-shm`;

export const removeAll = (...files: readonly string[]): void => {
  for (const file of files) rmSync(file, { force: true });
};

const sync = (path: string, flags: 'r' | 'r+'): void => {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

const syncFolder = (path: string): void => {
  try {
    sync(path, 'r');
  } catch {
    // Windows cannot flush a folder.
  }
};

/** Renames a file that no process has open. Whatever happens meanwhile, the old file or the new one is there. */
export const moveInto = (part: string, file: string): void => {
  sync(part, 'r+');
  renameSync(part, file);
  syncFolder(dirname(file));
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs work on a file, and removes the file where the work fails or a signal ends the process. */
export const withPartialFile = async <T>(file: string, work: (part: string) => T | Promise<T>): Promise<T> => {
  const part = partOf(file);
  const clean = (): void => removeAll(part, `${part}-journal`, walFile(part), walIndexFile(part));
  const onSignal = (signal: NodeJS.Signals): void => {
    clean();
    for (const each of SIGNALS) process.removeListener(each, onSignal);
    process.kill(process.pid, signal);
  };
  for (const each of SIGNALS) process.on(each, onSignal);
  try {
    return await work(part);
  } finally {
    if (existsSync(part)) clean();
    for (const each of SIGNALS) process.removeListener(each, onSignal);
  }
};
