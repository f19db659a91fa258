/** The gateway in an app of somebody else. */
import { join } from 'node:path';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { app } from '../../examples/mounted/app.ts';
import { mapStore } from '../../examples/mounted/store/map-store.ts';
import en from '../../locales/en.json' with { type: 'json' };
import es from '../../locales/es.json' with { type: 'json' };
import { catalogue } from '../../src/catalogue.ts';
import { bilingual } from '../../src/gateway/bilingual.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import { launch, project } from '../support/process/service.ts';

const json = { 'content-type': 'application/json' };

test('an app has both trees beside a route of its own', async () => {
  const created = await app.request('/api/coches', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ identificador: 'seat-1', marca: 'Seat', modelo: 'Ibiza', anio: 2008 }),
  });
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBe('/api/coches/seat-1');

  const listed = await app.request('/api/cars?brand=SEAT&sort_by=year&order=desc');
  expect(listed.status).toBe(200);
  expect(await listed.json()).toEqual([{ identifier: 'seat-1', brand: 'Seat', model: 'Ibiza', year: 2008 }]);
  expect(await (await app.request('/stock')).text()).toBe('1 cars');
  expect(await (await app.request('/opening-hours')).json()).toEqual({ open: '09:00', close: '20:00' });
});

test.each([
  ['/api/coche', 404, 'es', '/api/coches'],
  ['/api/cars/none', 404, 'en', 'none'],
  ['/api/coches?tapiceria=roja', 400, 'es', 'tapiceria'],
  ['/api/coches/', 200, 'es', ''],
  ['/api', 200, 'en', 'openapi'],
  ['/api/openapi.es.json', 200, 'es', '/api/coches'],
  ['/docs/', 200, 'en', '<html'],
])('GET %s is answered by the gateway: %s, in %s', async (path, status, language, part) => {
  const response = await app.request(path);
  expect([response.status, response.headers.get('content-language')]).toEqual([status, language]);
  expect(await response.text()).toContain(part);
});

test('an error in the code of the app is the app’s', async () => {
  const failing = new Hono();
  failing.get('/fails', () => {
    throw new Error('of the app');
  });
  failing.onError((error, c) => c.text(error.message, 418));
  failing.route('/', bilingual({ catalogue, tables: { es, en }, store: await openSqlite(':memory:', catalogue) }));
  expect((await failing.request('/fails')).status).toBe(418);
  const refused = await failing.request('/api/coches', { method: 'POST', headers: json, body: '{' });
  expect(await refused.json()).toMatchObject({ status: 400, code: 'malformed-json' });
  // The first table is that of the default language.
  expect((await failing.request('/api')).headers.get('content-language')).toBe('es');
});

test('a table with a fault is refused with its name', () => {
  const { paths, ...rest } = es;
  const open = () => bilingual({ catalogue, tables: { en, es: { ...rest, path: paths } }, store: mapStore(catalogue) });
  expect(open).toThrow(/^es: .*path/m);
});

test('on Node', async () => {
  const { wrote } = launch({ args: [join(project, 'examples/mounted/main.ts')] });
  const [origin] = await wrote(/http:\/\/[\d.:]+/);
  const file = await fetch(`${origin}/api/coches`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: 'identificador;marca;modelo\na;Seat;Ibiza\nb;Citroën;C4\n',
  });
  expect(await file.json()).toMatchObject({ creados: 2 });
  expect(await (await fetch(`${origin}/api/cars?search=citroen&fields=brand`)).json()).toEqual([
    { identifier: 'b', brand: 'Citroën' },
  ]);
  expect(await (await fetch(`${origin}/stock`)).text()).toBe('2 cars');
});

test('what the gateway does not have is left to the app', async () => {
  expect((await app.request('/nothing')).status).toBe(404);
  expect(await (await app.request('/nothing')).text()).toBe('404 Not Found');
});
