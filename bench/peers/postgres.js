// pg: a pool, a query per question, a transaction per write.
import pg from 'pg';
import { fold } from './cars.js';

const COLUMNS = 'identifier, brand, model, year, doors, "enginePower", version, clima, ac, fuel';
const ITEM = `SELECT ${COLUMNS} FROM cars WHERE identifier = $1`;
const LIST = `SELECT ${COLUMNS} FROM cars WHERE "brandKey" = $1 ORDER BY seq LIMIT $2 OFFSET $3`;
const COUNT = 'SELECT count(*)::int AS total FROM cars WHERE "brandKey" = $1';
const INSERT = `INSERT INTO cars (${COLUMNS}, "brandKey", "modelKey") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;
const UPDATE = `UPDATE cars SET "enginePower" = $1 WHERE identifier = $2 RETURNING ${COLUMNS}`;

/** @param {string} connectionString */
export const openPostgres = (connectionString) => {
  const pool = new pg.Pool({ connectionString, max: Number(process.env.POOL) });
  return {
    item: async (identifier, done) => done((await pool.query(ITEM, [identifier])).rows[0]),
    list: async (key, size, offset, done) => {
      const [list, count] = await Promise.all([pool.query(LIST, [key, size, offset]), pool.query(COUNT, [key])]);
      done(list.rows, count.rows[0].total);
    },
    insert: async (car, done) => {
      const { identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel } = car;
      const cells = [identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel];
      await pool.query(INSERT, [...cells, fold(brand), fold(model)]);
      done();
    },
    update: async (power, identifier, done) => done((await pool.query(UPDATE, [power, identifier])).rows[0]),
  };
};
