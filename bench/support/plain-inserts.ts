/** What any program would do that writes the rows of one of the service's databases into the tables of another. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { catalogue } from '../../src/catalogue.ts';
import { openStore } from '../../src/host/service/open-store.ts';
import { connect } from '../../src/store/sqlite/connection.ts';
import { prepareWriting } from '../../src/store/sqlite/schema.ts';
import { query } from '../../test/support/database/postgres.ts';
import { isFile, pathOf } from './databases.ts';

/** A prepared `INSERT` for each car, in one transaction. @returns when it began */
const insertRows = (from: string, to: string): number => {
  const source = new DatabaseSync(from, { readOnly: true });
  const rows = source.prepare('SELECT * FROM cars', { returnArrays: true }).all() as unknown as SQLInputValue[][];
  source.close();
  const connection = connect(to);
  prepareWriting(connection);
  const start = performance.now();
  connection.exec('BEGIN');
  const insert = `INSERT INTO cars VALUES (${(rows[0] ?? []).map(() => '?').join(', ')})`;
  for (const row of rows) connection.run(insert, row as never);
  connection.exec('COMMIT');
  connection.close();
  return start;
};

/** `COPY`, by a file among the server's own. @returns when it began */
const copyRows = async (from: string, to: string): Promise<number> => {
  await query(from, `COPY cars TO PROGRAM 'cat > cars.copy'`);
  const start = performance.now();
  await query(to, `COPY cars FROM 'cars.copy'`);
  return start;
};

/** @param to an empty database. @returns seconds */
export const insertPlainly = async (from: string, to: string): Promise<number> => {
  await (await openStore(to, catalogue)).close();
  const start = isFile(to) ? insertRows(pathOf(from), pathOf(to)) : await copyRows(from, to);
  return (performance.now() - start) / 1_000;
};
