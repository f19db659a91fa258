/** Fastify 5 on the database of `DATABASE_URL`: the routes that are compared, and nothing beside them. */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { carBody, carChanges, carOf, fold, linkOf, listQuery } from './cars.ts';

const url = process.env.DATABASE_URL ?? '';
const cars = url.startsWith('sqlite:')
  ? (await import('./sqlite.ts')).openSqlite(url.slice('sqlite:'.length), process.env.TECHNIQUE)
  : (await import('./postgres.ts')).openPostgres(url);

const app = Fastify();

app.get('/api/cars/:identifier', (request, reply) => {
  cars.item(request.params.identifier, (row) => {
    if (row) reply.send(carOf(row));
    else reply.code(404).send({ error: 'no such car' });
  });
});

app.get('/api/cars', { schema: { querystring: listQuery } }, (request, reply) => {
  const { brand, number_of_elements: size, page } = request.query;
  cars.list(fold(brand), size, (page - 1) * size, (rows, total) => {
    reply.header('X-Total-Count', total).header('Link', linkOf(brand, size, page, total));
    reply.send(rows.map(carOf));
  });
});

app.post('/api/cars', { schema: { body: carBody } }, (request, reply) => {
  const car = { ...request.body, identifier: request.body.identifier ?? randomUUID() };
  cars.insert(car, () => {
    reply.code(201).header('Location', `/api/cars/${encodeURIComponent(car.identifier)}`);
    reply.send(car);
  });
});

app.put('/api/cars/:identifier', { schema: { body: carChanges } }, (request, reply) => {
  cars.update(request.body.enginePower, request.params.identifier, (row) => reply.send(carOf(row)));
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
