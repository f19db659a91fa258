/** A nested collection that is listed: its items in all parents as one list, of which the parent is a filter and a member. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp, type Send } from '../../support/app/app.ts';
import { tryAll } from '../../support/app/tries.ts';
import { listedOils, listedOilsTables } from '../../support/language/listed.ts';

let send: Send;
const given = [
  ['/api/cars', { identifier: 'Ibiza/1', brand: 'Seat', model: 'Ibiza' }],
  ['/api/cars', { identifier: 'león', brand: 'Seat', model: 'León' }],
  ['/api/cars', { identifier: 'c4', brand: 'Citroën', model: 'C4' }],
  ['/api/cars/Ibiza%2F1/oils', { type: '5W-30', otherInfo: 'VW 504 00' }],
  ['/api/cars/le%C3%B3n/oils', { type: '10W/40' }],
  ['/api/cars/le%C3%B3n/oils', { type: '5w-30', otherInfo: 'ACEA C3' }],
] as const;

beforeAll(async () => {
  const app = await openApp({ catalogue: listedOils, locales: listedOilsTables(afterAll) });
  afterAll(app.close);
  send = app.send;
  for (const [path, body] of given) expect((await send('POST', path, body)).status).toBe(201);
});

const [IBIZA, LEON_10, LEON_5] = [
  { tipo: '5W-30', otros_datos: 'VW 504 00', coche: 'Ibiza/1' },
  { tipo: '10W/40', coche: 'león' },
  { tipo: '5w-30', otros_datos: 'ACEA C3', coche: 'león' },
];

test.each([
  ['', [IBIZA, LEON_10, LEON_5]],
  ['coche=LEON', [LEON_10, LEON_5]],
  ['coche=leon&coche=IBIZA/1', [IBIZA, LEON_10, LEON_5]],
  ['coche=c4', []],
  ['coche=x', []],
  ['tipo=5W-30&coche=león', [LEON_5]],
  ['ordenar_por=coche,tipo&orden=descendente,descendente', [LEON_5, LEON_10, IBIZA]],
  ['ordenar_por=tipo', [LEON_10, IBIZA, LEON_5]],
  ['buscar=504', [IBIZA]],
  ['buscar=5w', [IBIZA, LEON_5]],
  ['ordenar_por=coche&pagina=2&numero_de_elementos=1', [LEON_10]],
  ['campos=otros_datos&coche=leon', [{ tipo: '10W/40', coche: 'león' }, LEON_5]],
  ['agrupar_por=coche', [{ coche: 'león', total: 2 }].concat({ coche: 'Ibiza/1', total: 1 })],
  ['agrupar_por=tipo', [{ tipo: '5W-30', total: 2 }].concat({ tipo: '10W/40', total: 1 })],
])('/api/aceites?%s', async (query, rows) => {
  const { status, json, headers } = await send('GET', encodeURI(`/api/aceites?${query}`));
  expect([status, json]).toEqual([200, rows]);
  const english = /<([^>]+)>; rel="alternate"; hreflang="en"/.exec(headers.get('link') ?? '')?.[1] ?? '';
  const other = await send('GET', english);
  expect(english.startsWith('/api/oils')).toBe(true);
  expect(other.headers.get('x-total-count')).toBe(headers.get('x-total-count'));
});

test('pages by position lead through all of it, sorted by the parent', async () => {
  const seen: unknown[] = [];
  let next: string | undefined = '/api/oils?sort_by=car&order=desc&number_of_elements=1';
  while (next) {
    const { json, headers } = await send('GET', next);
    seen.push(...json.map((each: { type: string; car: string }) => [each.car, each.type]));
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  expect(seen).toEqual([
    ['león', '5w-30'],
    ['león', '10W/40'],
    ['Ibiza/1', '5W-30'],
  ]);
});

test('a template makes the URL of each item of its members', async () => {
  const { json, headers } = await send('GET', '/api/aceites?coche=ibiza/1');
  expect(headers.get('link-template')).toBe('"/api/coches/{coche}/aceites/{tipo}"; rel="item"');
  const [item] = json;
  const path = `/api/coches/${encodeURIComponent(item.coche)}/aceites/${encodeURIComponent(item.tipo)}`;
  expect((await send('GET', path)).json).toEqual({ tipo: '5W-30', otros_datos: 'VW 504 00' });
});

describe('in vain', () => {
  tryAll(
    `
GET /api/aceites?car=x
400 unknown-parameter «car» no es un parámetro de esta URL; ¿quería decir «coche»?
GET /api/aceites?ordenar_por=car
400 invalid-parameter «ordenar_por» no puede ser «car», que no es un campo del aceite; ¿quería decir «coche»?
GET /api/aceites/5W-30
404 no-such-path No hay nada en «/api/aceites/5W-30»; ¿quería decir «/api/coches/{identificador}/aceites»?
POST /api/aceites
> {}
405 method-not-allowed Esta ruta no admite POST; admite: GET, HEAD, OPTIONS.
`,
    { catalogue: listedOils, locales: listedOilsTables(afterAll) },
  );
});

test('the nested list has neither the member nor the filter', async () => {
  expect((await send('GET', '/api/coches/c4/aceites')).json).toEqual([]);
  const { json } = await send('GET', '/api/coches/Ibiza%2F1/aceites?coche=x');
  expect(json.errors[0].code).toBe('unknown-parameter');
});

test('index and dictionary say where it is', async () => {
  const { json } = await send('GET', '/api');
  expect(json.languages[1].collections).toEqual({ cars: '/api/coches', allOils: '/api/aceites' });
  const { collections } = (await send('GET', '/api/locales/es')).json;
  expect(collections.allOils).toMatchObject({ word: 'aceites', fields: { cars: { word: 'coche', required: true } } });
  expect(collections.oils.fields.cars).toBeUndefined();
});

test('what has changed is told with the parent; of a deleted car, each of its oils', async () => {
  for (const [path, body] of [
    ['/api/cars', { identifier: 'd', brand: 'Seat', model: 'D' }],
    ['/api/cars/d/oils', { type: '0W-20' }],
    ['/api/cars/d/oils', { type: '5W-30' }],
  ] as const) {
    await send('POST', path, body);
  }
  const { headers } = await send('GET', '/api/aceites');
  await send('PUT', '/api/coches/c4', { modelo: 'C4 Picasso' });
  await send('PUT', '/api/coches/d/aceites/0W-20', { otros_datos: 'x' });
  const changesSince = async (position: string, query = '') =>
    (await send('GET', `/api/cambios/aceites?cambiado_desde=${position}${query}`)).json;
  const position = headers.get('x-change') ?? '';
  expect(await changesSince(position)).toEqual([{ tipo: '0W-20', otros_datos: 'x', coche: 'd' }]);
  await send('DELETE', '/api/coches/d');
  expect(await changesSince(position)).toEqual([
    { tipo: '0W-20', coche: 'd', eliminado: true },
    { tipo: '5W-30', coche: 'd', eliminado: true },
  ]);
  await send('POST', '/api/cars', { identifier: 'd', brand: 'Seat', model: 'D' });
  await send('POST', '/api/cars/d/oils', { type: '5W-30' });
  expect(await changesSince(position)).toEqual([
    { tipo: '0W-20', coche: 'd', eliminado: true },
    { tipo: '5W-30', coche: 'd' },
  ]);
  await send('DELETE', '/api/coches/d');
  expect(await changesSince('0', '&coche=leon')).toEqual([LEON_10, LEON_5]);
});

test('a list that has not changed is not sent again', async () => {
  const { headers } = await send('GET', '/api/aceites?coche=leon');
  const again = await send('GET', '/api/aceites?coche=leon', undefined, { 'if-none-match': headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
});
