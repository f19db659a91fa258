// Fastify 5 and better-sqlite3: statements prepared once, a transaction per write.
import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { carOf, fold, linkOf, PRAGMAS, SQL, valuesOf } from './cars.js';
import { carBody, listQuery } from './fastify-schemas.js';

const database = new Database(process.env.DATABASE ?? '');
database.exec(PRAGMAS);
const item = database.prepare(SQL.item);
const list = database.prepare(SQL.list);
const count = database.prepare(SQL.count).pluck();
const insert = database.prepare(SQL.insert);

const app = Fastify();

app.get('/api/cars/:identifier', (request, reply) => {
  const row = item.get(request.params.identifier);
  if (row) reply.send(carOf(row));
  else reply.code(404).send({ error: 'no such car' });
});

app.get('/api/cars', { schema: { querystring: listQuery } }, (request, reply) => {
  const { brand, number_of_elements: size, page } = request.query;
  const key = fold(brand);
  const total = count.get(key);
  const rows = list.all(key, size, (page - 1) * size);
  reply
    .header('X-Total-Count', total)
    .header('Link', linkOf(brand, size, page, total))
    .send(rows.map(carOf));
});

app.post('/api/cars', { schema: { body: carBody } }, (request, reply) => {
  const car = { ...request.body, identifier: request.body.identifier ?? randomUUID() };
  insert.run(...valuesOf(car));
  reply
    .code(201)
    .header('Location', `/api/cars/${encodeURIComponent(car.identifier)}`)
    .send(car);
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
