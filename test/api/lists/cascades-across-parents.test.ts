/** What is deleted because it refers to another item takes its nested items along: their list across parents tells each of them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openApp, type Send } from '../../support/app/app.ts';
import { cascading, cascadingTables } from '../../support/language/cascading.ts';

let send: Send;
beforeAll(async () => {
  const app = await openApp({ catalogue: cascading, locales: cascadingTables(afterAll) });
  afterAll(app.close);
  send = app.send;
});

beforeEach(async () => {
  for (const [path, ...bodies] of [
    ['/api/regions', { name: 'Asturias' }, { name: 'León' }],
    ['/api/branches', { name: 'Gijón', region: 'Asturias' }, { name: 'Astorga', region: 'León' }],
    [
      '/api/cars',
      { registration: '4821 KBC', branch: 'Gijón' },
      { registration: '0937 LDM', branch: 'Gijón' },
      { registration: '1111 BBB', branch: 'Astorga' },
    ],
    ['/api/cars/4821%20KBC/photos', { number: '1', taken: 'Gijón' }, { number: '2' }],
    ['/api/cars/0937%20LDM/photos', { number: '1' }],
    ['/api/cars/1111%20BBB/photos', { number: '1', taken: 'Gijón' }, { number: '2' }],
  ] as const) {
    for (const body of bodies) await send('POST', path, body);
  }
});

const GONE = [
  { numero: '1', coche: '0937 LDM', eliminado: true },
  { numero: '1', coche: '1111 BBB', eliminado: true },
  { numero: '1', coche: '4821 KBC', eliminado: true },
  { numero: '2', coche: '4821 KBC', eliminado: true },
];
const replaceAll = { 'content-type': 'text/csv', prefer: 'resolution=replace-all; allow-deletions' };

test.each([
  ['DELETE', '/api/sedes/Gij%C3%B3n', undefined, {}, GONE],
  ['DELETE', '/api/regions/Asturias', undefined, {}, GONE],
  ['POST', '/api/importaciones/regiones', 'nombre\r\nLeón\r\n', replaceAll, GONE],
  ['POST', '/api/imports/branches', 'name,region\r\nAstorga,León\r\n', replaceAll, GONE],
  ['DELETE', '/api/coches/0937%20LDM', undefined, {}, [GONE[0]]],
])('%s %s', async (method, path, body, headers, told) => {
  const position = (await send('GET', '/api/fotos')).headers.get('x-change');
  expect((await send(method, path, body, headers)).status).toBeLessThan(300);
  const { json } = await send('GET', `/api/cambios/fotos?cambiado_desde=${position}`);
  const order = ({ coche, numero }: Record<string, string>) => `${coche} ${numero}`;
  expect(json.toSorted((one: never, other: never) => (order(one) < order(other) ? -1 : 1))).toEqual(told);
  const left = (await send('GET', '/api/photos')).headers.get('x-total-count');
  expect(left).toBe(String(5 - told.length));
});
