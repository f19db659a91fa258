/** What any program would do that writes the rows of one of the service's databases into the tables of another. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { catalogue } from '../../src/catalogue.ts';
import { collectionOf } from '../../src/gateway/model/catalogue.ts';
import { openStore } from '../../src/host/service/open-store.ts';
import { statementNames } from '../../src/store/postgres/connection/names.ts';
import { countMissing } from '../../src/store/sql/system/totals.ts';
import { connect } from '../../src/store/sqlite/connection/connection.ts';
import { prepareWriting } from '../../src/store/sqlite/schema/schema.ts';
import { query } from '../../test/support/database/postgres.ts';
import { isFile, pathOf } from './databases.ts';

const cars = collectionOf(catalogue, 'cars');
const totals = countMissing(cars, new Set()).flat();

/** A prepared `INSERT` for each car, in one transaction. @returns when it began */
const insertRows = (from: string, to: string): number => {
  const source = new DatabaseSync(from, { readOnly: true });
  const rows = source.prepare('SELECT * FROM cars', { returnArrays: true }).all() as unknown as SQLInputValue[][];
  source.close();
  const connection = connect(to);
  prepareWriting(connection);
  const start = performance.now();
  connection.exec('DELETE FROM "_totals"; BEGIN');
  const insert = `INSERT INTO cars VALUES (${(rows[0] ?? []).map(() => '?').join(', ')})`;
  for (const row of rows) connection.run(insert, row as never);
  for (const { sql, values } of totals) connection.run(sql, values);
  connection.exec('COMMIT');
  connection.close();
  return start;
};

/** `COPY`, by a file among the server's own. @returns when it began */
const copyRows = async (from: string, to: string): Promise<number> => {
  await query(from, `COPY cars TO PROGRAM 'cat > cars.copy'`);
  const { prepare } = statementNames();
  const fill = totals.map(({ sql, values }) => ({ text: prepare(sql).text, values: [...values] }));
  const start = performance.now();
  await query(to, 'BEGIN', 'DELETE FROM "_totals"', `COPY cars FROM 'cars.copy'`, ...fill, 'COMMIT');
  return start;
};

/** @param to an empty database. @returns seconds */
export const insertPlainly = async (from: string, to: string): Promise<number> => {
  await (await openStore(to, catalogue)).close();
  const start = isFile(to) ? insertRows(pathOf(from), pathOf(to)) : await copyRows(from, to);
  return (performance.now() - start) / 1_000;
};
