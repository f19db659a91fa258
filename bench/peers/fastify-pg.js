// Fastify 5 and pg: a pool, a query per question, a transaction per write. PREPARED=1 names the statements, which servers
// then parse and plan once for each connection.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { fold, linkOf } from './cars.js';
import { carBody, carChanges, listQuery } from './fastify-schemas.js';

const COLUMNS = 'identifier, brand, model, year, doors, "enginePower", version, clima, ac, fuel';
const TEXTS = {
  item: `SELECT ${COLUMNS} FROM cars WHERE identifier = $1`,
  list: `SELECT ${COLUMNS} FROM cars WHERE "brandKey" = $1 ORDER BY seq LIMIT $2 OFFSET $3`,
  count: 'SELECT count(*)::int AS total FROM cars WHERE "brandKey" = $1',
  insert: `INSERT INTO cars (${COLUMNS}, "brandKey", "modelKey") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
  update: `UPDATE cars SET "enginePower" = $1 WHERE identifier = $2 RETURNING ${COLUMNS}`,
};

const pool = new pg.Pool({ connectionString: process.env.DATABASE, max: Number(process.env.POOL) });
const isPrepared = process.env.PREPARED === '1';

const query = (/** @type {keyof typeof TEXTS} */ name, /** @type {unknown[]} */ values) =>
  pool.query({ ...(isPrepared ? { name } : {}), text: TEXTS[name], values });

/** Constant shape; `undefined` is left out of JSON. @param {any} row */
const carOf = (row) => ({
  identifier: row.identifier,
  brand: row.brand,
  model: row.model,
  year: row.year ?? undefined,
  doors: row.doors ?? undefined,
  enginePower: row.enginePower ?? undefined,
  version: row.version ?? undefined,
  clima: row.clima ?? undefined,
  ac: row.ac ?? undefined,
  fuel: row.fuel ?? undefined,
});

const app = Fastify();

app.get('/api/cars/:identifier', async (request, reply) => {
  const { rows } = await query('item', [request.params.identifier]);
  if (rows[0]) return carOf(rows[0]);
  return reply.code(404).send({ error: 'no such car' });
});

app.get('/api/cars', { schema: { querystring: listQuery } }, async (request, reply) => {
  const { brand, number_of_elements: size, page } = request.query;
  const key = fold(brand);
  const [list, count] = await Promise.all([query('list', [key, size, (page - 1) * size]), query('count', [key])]);
  const { total } = count.rows[0];
  reply.header('X-Total-Count', total).header('Link', linkOf(brand, size, page, total));
  return list.rows.map(carOf);
});

app.post('/api/cars', { schema: { body: carBody } }, async (request, reply) => {
  const car = { ...request.body, identifier: request.body.identifier ?? randomUUID() };
  const { identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel } = car;
  const cells = [identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel];
  // One statement is a transaction of its own.
  await query('insert', [...cells, fold(brand), fold(model)]);
  reply.code(201).header('Location', `/api/cars/${encodeURIComponent(identifier)}`);
  return car;
});

app.put('/api/cars/:identifier', { schema: { body: carChanges } }, async (request) => {
  const { rows } = await query('update', [request.body.enginePower, request.params.identifier]);
  return carOf(rows[0]);
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
