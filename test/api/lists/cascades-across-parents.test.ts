/** What is deleted because it refers to another item takes its nested items along: their list across parents tells each of them. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { fleet, fleetTables } from '../../support/app/fleet.ts';

const { send } = useApp({ catalogue: fleet, locales: fleetTables(afterAll) });

beforeEach(async () => {
  for (const [path, ...bodies] of [
    ['/api/ports', { place: 'Gijón' }, { place: 'Avilés' }],
    ['/api/boats', { code: 'a', name: 'a', port: 'Gijón' }, { code: 'b', name: 'b', port: 'Avilés' }],
    ['/api/crews', { captain: 'Eva', boat: 'a' }, { captain: 'Ivo', boat: 'a' }, { captain: 'Ana', boat: 'b' }],
    ['/api/crews/Eva/shifts', { number: '1', relief: 'b' }, { number: '2' }],
    ['/api/crews/Ivo/shifts', { number: '1' }],
    ['/api/crews/Ana/shifts', { number: '1', relief: 'a' }, { number: '2' }],
  ] as const) {
    for (const body of bodies) await send('POST', path, body);
  }
});

const [ANA, EVA, EVA_2, IVO] = ['Ana 1', 'Eva 1', 'Eva 2', 'Ivo 1'].map((each) => {
  const [tripulacion, numero] = each.split(' ');
  return { numero, tripulacion, eliminado: true };
});
const GONE = [ANA, EVA, EVA_2, IVO];
const replaceAll = { 'content-type': 'text/csv', prefer: 'resolution=replace-all; allow-deletions' };

test.each([
  ['DELETE', '/api/puertos/Gij%C3%B3n', undefined, {}, GONE],
  ['DELETE', '/api/boats/a', undefined, {}, GONE],
  ['POST', '/api/importaciones/puertos', 'lugar\r\nAvilés\r\n', replaceAll, GONE],
  ['POST', '/api/imports/boats', 'code,name,port\r\nb,b,Avilés\r\n', replaceAll, GONE],
  ['DELETE', '/api/tripulaciones/Ivo', undefined, {}, [IVO]],
])('%s %s', async (method, path, body, headers, told) => {
  const position = (await send('GET', '/api/turnos')).headers.get('x-change');
  const done = await send(method, path, body, headers);
  expect([done.status < 300, done.text]).toEqual([true, expect.anything()]);
  const { json } = await send('GET', `/api/cambios/turnos?cambiado_desde=${position}`);
  const order = ({ tripulacion, numero }: Record<string, string>) => `${tripulacion} ${numero}`;
  expect(json.toSorted((one: never, other: never) => (order(one) < order(other) ? -1 : 1))).toEqual(told);
  const left = (await send('GET', '/api/shifts')).headers.get('x-total-count');
  expect(left).toBe(String(5 - told.length));
});
