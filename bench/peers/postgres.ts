/** pg: a pool, a query per question, a transaction per write. */
import pg from 'pg';
import type { Car } from '../support/records.ts';
import { ALL_COLUMNS, type Cars, COLUMNS, cellsOf, fold, tableWith } from './cars.ts';

const FILL = `INSERT INTO cars (${ALL_COLUMNS}) SELECT ${ALL_COLUMNS} FROM jsonb_populate_recordset(NULL::cars, $1)`;
const ITEM = `SELECT ${COLUMNS} FROM cars WHERE identifier = $1`;
const LIST = `SELECT ${COLUMNS} FROM cars WHERE "brandKey" = $1 ORDER BY seq LIMIT $2 OFFSET $3`;
const COUNT = 'SELECT count(*)::int AS total FROM cars WHERE "brandKey" = $1';
const INSERT = `INSERT INTO cars (${ALL_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;
const UPDATE = `UPDATE cars SET "enginePower" = $1 WHERE identifier = $2 RETURNING ${COLUMNS}`;

/** @returns what makes a database of these cars */
export const filling = (cars: readonly Car[]): readonly (string | pg.QueryConfig)[] => {
  const rows = cars.map((car) => ({ ...car, brandKey: fold(car.brand), modelKey: fold(car.model) }));
  return [tableWith('bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'), { text: FILL, values: [JSON.stringify(rows)] }];
};

export const openPostgres = (connectionString: string): Cars => {
  const pool = new pg.Pool({ connectionString });
  return {
    item: async (identifier, done) => done((await pool.query(ITEM, [identifier])).rows[0]),
    list: async (key, size, offset, done) => {
      const [list, count] = await Promise.all([pool.query(LIST, [key, size, offset]), pool.query(COUNT, [key])]);
      done(list.rows, count.rows[0].total);
    },
    insert: async (car, done) => {
      await pool.query(INSERT, cellsOf(car));
      done();
    },
    update: async (power, identifier, done) => done((await pool.query(UPDATE, [power, identifier])).rows[0]),
  };
};
