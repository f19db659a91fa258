// Fastify 5 and node:sqlite: statements prepared once, a transaction per write. TECHNIQUES may name `counter` (the total is
// looked up, triggers keep it) and `group` (group commit), to tell what these two are worth.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import { carOf, fold, linkOf, PRAGMAS, SQL, valuesOf } from './cars.js';
import { carBody, carChanges, listQuery } from './fastify-schemas.js';

const techniques = (process.env.TECHNIQUES ?? '').split(',');

const database = new DatabaseSync(process.env.DATABASE ?? '');
database.exec(PRAGMAS);
const item = database.prepare(SQL.item);
const list = database.prepare(SQL.list);
const count = database.prepare(techniques.includes('counter') ? SQL.counted : SQL.count);
const insert = database.prepare(SQL.insert);
const update = database.prepare(SQL.update);

/** @type {(() => void)[]} */
let waiting = [];
const commitGroup = () => {
  const group = waiting;
  waiting = [];
  database.exec('BEGIN IMMEDIATE');
  const replies = group.map((write) => write());
  database.exec('COMMIT');
  for (const reply of replies) reply();
};
/** @param {() => () => void} write returns what replies, once it is durable */
const grouped = (write) => {
  waiting.push(write);
  if (waiting.length === 1) setImmediate(commitGroup);
};
/** One statement is a transaction of its own. @param {() => () => void} write */
const alone = (write) => write()();
const write = techniques.includes('group') ? grouped : alone;

const app = Fastify();

app.get('/api/cars/:identifier', (request, reply) => {
  const row = item.get(request.params.identifier);
  if (row) reply.send(carOf(row));
  else reply.code(404).send({ error: 'no such car' });
});

app.get('/api/cars', { schema: { querystring: listQuery } }, (request, reply) => {
  const { brand, number_of_elements: size, page } = request.query;
  const key = fold(brand);
  const { total } = count.get(key) ?? { total: 0 };
  const rows = list.all(key, size, (page - 1) * size);
  reply
    .header('X-Total-Count', total)
    .header('Link', linkOf(brand, size, page, total))
    .send(rows.map(carOf));
});

app.post('/api/cars', { schema: { body: carBody } }, (request, reply) => {
  const car = { ...request.body, identifier: request.body.identifier ?? randomUUID() };
  write(() => {
    insert.run(...valuesOf(car));
    return () =>
      reply
        .code(201)
        .header('Location', `/api/cars/${encodeURIComponent(car.identifier)}`)
        .send(car);
  });
});

app.put('/api/cars/:identifier', { schema: { body: carChanges } }, (request, reply) => {
  write(() => {
    update.run(request.body.enginePower, request.params.identifier);
    return () => reply.send(carOf(item.get(request.params.identifier)));
  });
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
