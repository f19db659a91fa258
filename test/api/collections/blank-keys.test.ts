/** Blanks at the ends of a key are no part of it: in bodies, in paths, in filters and in files. */
import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';

const app = useFreshApp({
  given: [
    ['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza' }],
    ['/api/cars/a-1/oils', { type: '5W-30' }],
  ],
});

test.each([
  ['/api/cars', { identifier: ' b 2 ', brand: 'Seat', model: 'León' }, '/api/cars/b%202', 'identifier'],
  [
    '/api/coches',
    { identificador: '\u00a0b 2\n', marca: 'Seat', modelo: 'León' },
    '/api/coches/b%202',
    'identificador',
  ],
  ['/api/cars/%20a-1', { type: '10W-40  ' }, '/api/cars/a-1/oils/10W-40', 'type'],
])('POST %s %j creates %s', async (path, body, location, word) => {
  const list = path.includes('a-1') ? `${path}/oils` : path;
  const { status, headers, json } = await app.send('POST', list, body);
  expect([status, headers.get('location')]).toEqual([201, location]);
  expect(decodeURIComponent(location.split('/').at(-1) ?? '')).toBe(json[word]);
});

test.each([
  '/api/cars/a-1%20',
  '/api/coches/%20%20a-1',
  '/api/cars/%C2%A0a-1/oils/5W-30%20',
  '/api/coches/a-1/aceites/%205W-30',
])('%s is found', async (path) => {
  const { status, headers } = await app.send('GET', path);
  expect(status).toBe(200);
  expect(headers.get('link')).toMatch(/^<\/api\/(?:cars|coches)\/a-1(?:>|\/(?:oils|aceites)\/5W-30>)/);
});

test('a key of before is met whatever its blanks: it is taken, is no other one, and is found by a filter', async () => {
  const taken = await app.send('POST', '/api/cars', { identifier: 'a-1 ', brand: 'b', model: 'm' });
  expect([taken.status, taken.json.code]).toEqual([409, 'already-exists']);
  expect((await app.send('PATCH', '/api/cars/a-1', { identifier: ' a-1', doors: 5 })).status).toBe(200);
  expect((await app.send('GET', '/api/coches?identificador=%20a-1')).json).toHaveLength(1);
  expect((await app.send('DELETE', '/api/coches/a-1%20')).status).toBe(204);
});

test.each([' ', ' . ', '\u00a0..', ''])('%j is no key', async (identifier) => {
  const { status, json } = await app.send('POST', '/api/cars', { identifier, brand: 'b', model: 'm' });
  expect([status, json.code]).toEqual([400, 'invalid-value']);
});

test('a file says so, too', async () => {
  const merge = { 'content-type': 'text/csv', prefer: 'resolution=merge-duplicates' };
  const { json } = await app.send('POST', '/api/cars', 'identifier,brand,model\n" a-1 ",Seat,Arosa', merge);
  expect([json.created, json.updated]).toEqual([0, 1]);
});
