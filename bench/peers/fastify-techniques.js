// fastify-sqlite.js with the service's techniques, one by one, to tell what each is worth. TECHNIQUES is a list of:
// counter (a total is looked up, triggers keep it), text (rows as arrays, JSON by concatenation), group (group commit).
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import { carOf, fold, linkOf, PRAGMAS, SQL, valuesOf } from './cars.js';
import { carBody, listQuery } from './fastify-schemas.js';

const techniques = new Set((process.env.TECHNIQUES ?? '').split(','));
const COUNTED = 'SELECT total FROM brandTotals WHERE brandKey = ?';

const database = new DatabaseSync(process.env.DATABASE ?? '');
database.exec(PRAGMAS);
const item = database.prepare(SQL.item);
const list = database.prepare(SQL.list);
const count = database.prepare(techniques.has('counter') ? COUNTED : SQL.count);
const insert = database.prepare(SQL.insert);
if (techniques.has('text')) for (const statement of [item, list]) statement.setReturnArrays(true);

const text = (/** @type {string} */ value) => JSON.stringify(value);
const number = (/** @type {number} */ value) => `${value}`;
const flag = (/** @type {number} */ value) => (value === 1 ? 'true' : 'false');
const MEMBERS = Object.entries({
  identifier: text,
  brand: text,
  model: text,
  year: number,
  doors: number,
  enginePower: number,
  version: text,
  clima: flag,
  ac: flag,
  fuel: text,
}).map(([name, write], at) => ({ start: `${at === 0 ? '{' : ','}"${name}":`, write }));

const textOf = (/** @type {any[]} */ row) => {
  let json = '';
  for (let at = 0; at < MEMBERS.length; at++) {
    const { start, write } = MEMBERS[at];
    if (row[at] !== null) json += start + write(row[at]);
  }
  return `${json}}`;
};
const writeItem = techniques.has('text') ? textOf : carOf;
const writeList = techniques.has('text')
  ? (/** @type {any[]} */ rows) => `[${rows.map(textOf).join(',')}]`
  : (/** @type {any[]} */ rows) => rows.map(carOf);

/** @type {{ car: any, reply: any }[]} */
let waiting = [];
const answer = (/** @type {any} */ { car, reply }) =>
  reply
    .code(201)
    .header('Location', `/api/cars/${encodeURIComponent(car.identifier)}`)
    .send(car);
const commit = () => {
  const batch = waiting;
  waiting = [];
  database.exec('BEGIN IMMEDIATE');
  for (const { car } of batch) insert.run(...valuesOf(car));
  database.exec('COMMIT');
  for (const each of batch) answer(each);
};

const JSON_TYPE = 'application/json; charset=utf-8';
const app = Fastify();

app.get('/api/cars/:identifier', (request, reply) => {
  const row = item.get(request.params.identifier);
  if (row) reply.type(JSON_TYPE).send(writeItem(row));
  else reply.code(404).send({ error: 'no such car' });
});

app.get('/api/cars', { schema: { querystring: listQuery } }, (request, reply) => {
  const { brand, number_of_elements: size, page } = request.query;
  const key = fold(brand);
  const { total } = count.get(key) ?? { total: 0 };
  const rows = list.all(key, size, (page - 1) * size);
  reply.header('X-Total-Count', total).header('Link', linkOf(brand, size, page, total));
  reply.type(JSON_TYPE).send(writeList(rows));
});

app.post('/api/cars', { schema: { body: carBody } }, (request, reply) => {
  const car = { ...request.body, identifier: request.body.identifier ?? randomUUID() };
  if (techniques.has('group')) {
    waiting.push({ car, reply });
    if (waiting.length === 1) setImmediate(commit);
    return;
  }
  insert.run(...valuesOf(car));
  answer({ car, reply });
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
