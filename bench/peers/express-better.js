// Express 5 and better-sqlite3, with Express's own settings.
import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import express from 'express';
import { carOf, fold, linkOf, PRAGMAS, SQL, valuesOf } from './cars.js';

const database = new Database(process.env.DATABASE ?? '');
database.exec(PRAGMAS);
const item = database.prepare(SQL.item);
const list = database.prepare(SQL.list);
const count = database.prepare(SQL.count).pluck();
const insert = database.prepare(SQL.insert);

const app = express();

app.get('/api/cars/:identifier', (request, response) => {
  const row = item.get(request.params.identifier);
  if (row) response.json(carOf(row));
  else response.status(404).json({ error: 'no such car' });
});

app.get('/api/cars', (request, response) => {
  const brand = String(request.query.brand ?? '');
  const size = Number(request.query.number_of_elements);
  const page = Number(request.query.page ?? 1);
  if (brand === '' || !Number.isInteger(size) || size < 1 || !Number.isInteger(page) || page < 1) {
    response.status(400).json({ error: 'invalid query' });
    return;
  }
  const key = fold(brand);
  const total = count.get(key);
  const rows = list.all(key, size, (page - 1) * size);
  response.set({ 'X-Total-Count': String(total), Link: linkOf(brand, size, page, total) }).json(rows.map(carOf));
});

app.post('/api/cars', express.json(), (request, response) => {
  const { brand, model } = request.body ?? {};
  if (typeof brand !== 'string' || typeof model !== 'string') {
    response.status(400).json({ error: 'brand and model are required' });
    return;
  }
  const car = { ...request.body, identifier: request.body.identifier ?? randomUUID() };
  insert.run(...valuesOf(car));
  response
    .status(201)
    .location(`/api/cars/${encodeURIComponent(car.identifier)}`)
    .json(car);
});

app.listen(Number(process.env.PORT), '127.0.0.1');
