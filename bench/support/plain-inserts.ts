/** What any program would do that writes cars into the service's tables, and nothing beside it. */
import { catalogue } from '../../src/catalogue.ts';
import type { Cell } from '../../src/model/field.ts';
import { openStore } from '../../src/service/open-store.ts';
import { tableOf } from '../../src/store/sql/columns.ts';
import { sqlite } from '../../src/store/sql/dialects.ts';
import { insertValues } from '../../src/store/sql/items.ts';
import type { Statement } from '../../src/store/sql/statement.ts';
import { fillTotals, fillWritings } from '../../src/store/sql/system/totals.ts';
import { columnNames, insertInto } from '../../src/store/sql/tables.ts';
import { connect } from '../../src/store/sqlite/connection/connection.ts';
import { prepareWriting } from '../../src/store/sqlite/schema/schema.ts';
import { cars, cellsAt, withClient } from './databases.ts';

const table = tableOf(cars);
const totals: readonly Statement[] = [...fillTotals(cars, () => false), ...fillWritings(cars, () => true)];

export const storedCar = (number: number): readonly Cell[] =>
  insertValues(cars, number + 1, number + 1, [], cellsAt(number));

const makeTables = async (url: string): Promise<void> => (await openStore(url, catalogue)).close();

/** A prepared `INSERT` for each car, in one transaction. @returns seconds */
export const insertPlainly = async (file: string, count: number): Promise<number> => {
  await makeTables(`sqlite:${file}`);
  const connection = connect(file);
  prepareWriting(connection);
  const start = performance.now();
  connection.exec('DELETE FROM "_totals"; BEGIN');
  const insert = insertInto(sqlite, table);
  for (let number = 0; number < count; number++) connection.run(insert, storedCar(number));
  for (const { sql, values } of totals) connection.run(sql, values);
  connection.exec('COMMIT');
  connection.close();
  return (performance.now() - start) / 1_000;
};

const numbered = (sql: string): string => {
  let at = 0;
  return sql.replaceAll('?', () => `$${++at}`);
};

/** @param file what `COPY` reads, on the server's machine. @returns seconds */
export const copyPlainly = async (url: string, file: string): Promise<number> => {
  await makeTables(url);
  return withClient(url, async (client) => {
    const start = performance.now();
    await client.query('BEGIN; DELETE FROM "_totals"');
    await client.query(`COPY "${table.name}" (${columnNames(table)}) FROM '${file}'`);
    for (const { sql, values } of totals) await client.query(numbered(sql), [...values]);
    await client.query('COMMIT');
    return (performance.now() - start) / 1_000;
  });
};
