import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { tryAll } from '../../support/app/tries.ts';

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008, clima: true }],
    ['/api/cars', { identifier: 'b', brand: 'Citroën', model: 'C4', year: 2006 }],
    ['/api/cars', { identifier: 'c', brand: 'SEAT', model: 'León', year: 2008, clima: false }],
    ['/api/cars', { identifier: 'd', brand: 'Seat', model: 'Arosa' }],
    ['/api/cars/a/oils', { type: '5W-30', otherInfo: 'VW' }],
    ['/api/cars/a/oils', { type: '10W-40', otherInfo: 'vw' }],
    ['/api/cars/a/oils', { type: 'SAE' }],
  ],
});

const read = (query: string) => send('GET', `/api/coches?${query}`);

test.each([
  [
    'a text, in its most frequent writing',
    'agrupar_por=marca',
    [
      { marca: 'Seat', total: 3 },
      { marca: 'Citroën', total: 1 },
    ],
  ],
  ['an integer', 'agrupar_por=anio', [{ anio: 2008, total: 2 }, { anio: 2006, total: 1 }, { total: 1 }]],
  [
    'a flag',
    'agrupar_por=climatizador',
    [{ climatizador: false, total: 1 }, { climatizador: true, total: 1 }, { total: 2 }],
  ],
  ['what a filter leaves', 'agrupar_por=marca&anio=2008', [{ marca: 'SEAT', total: 2 }]],
  ['nothing', 'agrupar_por=marca&anio=1900', []],
])('groups by %s', async (_, query, groups) => {
  const { status, json, headers } = await read(query);
  expect([status, json, headers.get('x-total-count')]).toEqual([200, groups, String(groups.length)]);
  const head = await send('HEAD', `/api/coches?${query}`);
  expect(head.headers.get('x-total-count')).toBe(String(groups.length));
});

test('groups oils', async () => {
  const { json } = await send('GET', '/api/coches/a/aceites?agrupar_por=otros_datos');
  expect(json).toEqual([{ otros_datos: 'VW', total: 2 }, { total: 1 }]);
});

test('a tag is weak, and a client that has the groups is told so', async () => {
  const { headers } = await read('agrupar_por=marca');
  const tag = headers.get('etag') ?? '';
  expect(tag).toMatch(/^W\//);
  const again = await send('GET', '/api/coches?agrupar_por=marca', undefined, { 'if-none-match': tag });
  expect(again.status).toBe(304);
});

tryAll(`
GET /api/coches?agrupar_por=year
400 invalid-parameter «agrupar_por» no puede ser «year», que no es un campo del coche; ¿quería decir «anio»?
GET /api/coches?group_by=marca → agrupar_por
GET /api/coches?agrupar_por=marca&orden=ascendente
400 invalid-parameter «orden» no se puede combinar con «agrupar_por»: los grupos se ordenan por su total.
GET /api/cars?group_by=brand&sort_by=brand&order=asc
400 invalid-query
- invalid-parameter “sort_by” cannot be combined with “group_by”: groups are in the order of their totals.
- invalid-parameter “order” cannot be combined with “group_by”: groups are in the order of their totals.
`);
