/** Files of SQLite that tests make and look into: not by way of the code under test. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../../src/host/service/open-store.ts';
import { catalogue } from '../cars/catalogue.ts';
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

/** Cars and oils in any number, written in one step. */
export const fillWithMany = async (path: string, count: number): Promise<void> => {
  await (await openStore(sqliteUrl(path), catalogue)).close();
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  inFile(
    path,
    'BEGIN',
    `${numbers} INSERT INTO cars (_created, _revision, identifier, brand, model, year, _identifier, _brand, _model)
     SELECT i, i, 'car-' || (i * 7919 % ${count}), 'Seat', 'Model ' || i % 100, 1900 + i % 200, 'car-' || (i * 7919 % ${count}), 'seat', 'model ' || i % 100 FROM n`,
    `${numbers} INSERT INTO oils (_created, _revision, _parent, type, _type)
     SELECT ${count} + i, ${count} + i, 'car-' || i, '5W-30', '5w-30' FROM n WHERE i < ${count} / 10`,
    `INSERT INTO _tombstones VALUES (${2 * count}, 'cars', NULL, 'gone')`,
    `UPDATE _change SET number = ${2 * count}`,
    'COMMIT',
  );
};
