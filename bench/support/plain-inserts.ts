/** What any program would do that writes cars into the service's tables, and nothing beside it. */
import { catalogue } from '../../src/catalogue.ts';
import { collectionOf } from '../../src/model/catalogue.ts';
import { toCells } from '../../src/model/cells.ts';
import type { Cell } from '../../src/model/field.ts';
import { openStore } from '../../src/open-store.ts';
import { tableOf } from '../../src/store/sql/columns.ts';
import { sqlite } from '../../src/store/sql/dialects.ts';
import { insertValues } from '../../src/store/sql/items.ts';
import type { Statement } from '../../src/store/sql/statement.ts';
import { fillTotals, fillWritings } from '../../src/store/sql/system/totals.ts';
import { columnNames, insertInto } from '../../src/store/sql/tables.ts';
import { connect } from '../../src/store/sqlite/connection/connection.ts';
import { prepareWriting } from '../../src/store/sqlite/schema/schema.ts';
import { withClient } from './postgres-databases.ts';
import { carAt } from './records.ts';

const cars = collectionOf(catalogue, 'cars');
const table = tableOf(cars);
const flag = (value: boolean | undefined): number | undefined => (value === undefined ? undefined : Number(value));

export const storedCar = (number: number): readonly Cell[] => {
  const car = carAt(number);
  const cells = toCells(cars, { ...car, clima: flag(car.clima), ac: flag(car.ac) });
  return insertValues(cars, number + 1, number + 1, [], cells);
};

const totals: readonly Statement[] = [...fillTotals(cars, () => false), ...fillWritings(cars, () => true)];

const makeTables = async (url: string): Promise<void> => (await openStore(url, catalogue)).close();

/** @returns seconds */
const timed = async (work: () => Promise<void> | void): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
};

/** A prepared `INSERT` for each car, in one transaction. @returns seconds */
export const insertPlainly = async (file: string, count: number): Promise<number> => {
  await makeTables(`sqlite:${file}`);
  const connection = connect(file);
  const { exec, run, close } = connection;
  prepareWriting(connection);
  try {
    return await timed(() => {
      exec('DELETE FROM "_totals"; BEGIN');
      const insert = insertInto(sqlite, table);
      for (let number = 0; number < count; number++) run(insert, storedCar(number));
      for (const { sql, values } of totals) run(sql, values);
      exec('COMMIT');
    });
  } finally {
    close();
  }
};

const numbered = (sql: string): string => {
  let at = 0;
  return sql.replaceAll('?', () => `$${++at}`);
};

/** @param file what `COPY` reads, on the server's machine. @returns seconds */
export const copyPlainly = async (url: string, file: string): Promise<number> => {
  await makeTables(url);
  return withClient(url, (client) =>
    timed(async () => {
      await client.query('BEGIN; DELETE FROM "_totals"');
      await client.query(`COPY "${table.name}" (${columnNames(table)}) FROM '${file}'`);
      for (const { sql, values } of totals) await client.query(numbered(sql), [...values]);
      await client.query('COMMIT');
    }),
  );
};
