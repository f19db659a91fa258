/** Files that appear complete or not at all. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The write-ahead log (WAL) of a database, and its index, which processes that use the database share. */
export const walFile = (file: string): string => `${file}-wal`;
export const walIndexFile = (file: string): string => `${file}-shm`;

export const removeAll = (...files: readonly string[]): void => {
  for (const file of files) rmSync(file, { force: true });
};

/** @returns whether two names lead to one file */
export const isSameFile = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
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
