// The databases of the peers, filled.
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { FILL, fold, PRAGMAS, SCHEMA, valuesOf } from './cars.js';

/** @param {string} file @param {readonly object[]} cars */
export const fillSqlite = (file, cars) => {
  const database = new DatabaseSync(file);
  database.exec(`${PRAGMAS}; ${SCHEMA}; BEGIN`);
  const insert = database.prepare(FILL);
  for (const car of cars) insert.run(...valuesOf(car));
  database.exec('COMMIT');
  database.close();
};

const PG_SCHEMA = `
  CREATE TABLE cars (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, identifier text NOT NULL UNIQUE,
    brand text NOT NULL, model text NOT NULL, year integer, doors integer, "enginePower" integer, version text,
    clima boolean, ac boolean, fuel text, "brandKey" text NOT NULL, "modelKey" text NOT NULL);
  CREATE INDEX cars_brand ON cars ("brandKey", seq);
  CREATE INDEX cars_model ON cars ("modelKey", seq);
  CREATE INDEX cars_year ON cars (year, seq)`;
const PG_COLUMNS =
  'identifier, brand, model, year, doors, "enginePower", version, clima, ac, fuel, "brandKey", "modelKey"';
const PG_FILL = `INSERT INTO cars (${PG_COLUMNS}) SELECT ${PG_COLUMNS} FROM jsonb_populate_recordset(NULL::cars, $1)`;

/** @param {string} connectionString @param {readonly { brand: string, model: string }[]} cars */
export const fillPostgres = async (connectionString, cars) => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(PG_SCHEMA);
  const rows = cars.map((car) => ({ ...car, brandKey: fold(car.brand), modelKey: fold(car.model) }));
  await client.query(PG_FILL, [JSON.stringify(rows)]);
  await client.end();
};
