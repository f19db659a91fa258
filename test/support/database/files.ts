/** Files of SQLite that tests make and look into: not by way of the code under test. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '../process/folder.ts';

export const sqliteUrl = (path = join(temporaryFolder(), 'catalogue.db')): string => `sqlite:${path}`;
export const pathOf = (url: string): string => url.slice('sqlite:'.length);

/** Runs statements on a file. @returns the rows of the last one */
export const inFile = (path: string, ...statements: readonly string[]): readonly unknown[] => {
  const database = new DatabaseSync(path);
  try {
    return statements.map((sql) => database.prepare(sql).all()).at(-1) ?? [];
  } finally {
    database.close();
  }
};
