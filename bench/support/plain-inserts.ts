/** What any program would do that writes the rows of one of the service's databases into the tables of another. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { catalogue } from '../../src/catalogue.ts';
import { collectionOf } from '../../src/model/catalogue.ts';
import { openStore } from '../../src/service/open-store.ts';
import { fillTotals, fillWritings } from '../../src/store/sql/system/totals.ts';
import { connect } from '../../src/store/sqlite/connection/connection.ts';
import { prepareWriting } from '../../src/store/sqlite/schema/schema.ts';
import { withClient } from './databases.ts';

const cars = collectionOf(catalogue, 'cars');
const totals = [...fillTotals(cars, () => false), ...fillWritings(cars, () => true)];

const makeTables = async (url: string): Promise<void> => (await openStore(url, catalogue)).close();

/** A prepared `INSERT` for each car, in one transaction. @returns seconds */
export const insertPlainly = async (from: string, to: string): Promise<number> => {
  await makeTables(`sqlite:${to}`);
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
  return (performance.now() - start) / 1_000;
};

/** @param file where `COPY` writes and reads, on the server's machine. @returns seconds */
export const copyPlainly = async (from: string, to: string, file: string): Promise<number> => {
  await makeTables(to);
  await withClient(from, (client) => client.query(`COPY cars TO '${file}'`));
  return withClient(to, async (client) => {
    const start = performance.now();
    await client.query('BEGIN; DELETE FROM "_totals"');
    await client.query(`COPY cars FROM '${file}'`);
    for (const { sql, values } of totals) {
      let at = 0;
      await client.query(
        sql.replaceAll('?', () => `$${++at}`),
        [...values],
      );
    }
    await client.query('COMMIT');
    return (performance.now() - start) / 1_000;
  });
};
