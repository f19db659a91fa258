/** The files of a database. */
import { rmSync, statSync } from 'node:fs';

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
