/** Items that others refer to are written within these as they are on their own, wherever these are listed. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openApp, type Send, type TestResponse } from '../../support/app/app.ts';
import { fleet, fleetTables } from '../../support/app/fleet.ts';

let send: Send;
beforeAll(async () => {
  const app = await openApp({ catalogue: fleet, locales: fleetTables(afterAll) });
  afterAll(app.close);
  send = app.send;
});

const WHOLE = {
  ...{ code: 'a', name: 'Ñ "\\" 🚗', berths: 6, hasEngine: false, price: 12_990.5, launched: '2008-11-30' },
  ...{ surveyed: '2024-12-31T23:59:59.500Z', rig: 'ketch', hull: 'Kevlar', page_url: 'http://example.com/?a=1&b=2' },
  ...{ sailNumber: 'ESP 7', port: 'Gijón', extras: ['radar', 'teak deck'], state: 'sold' },
};
const NEXT = { code: 'b', name: 'b', rig: 'catboat', hull: 'steel', state: 'for sale' };

beforeEach(async () => {
  for (const path of ['crews', 'boats', 'ports']) {
    const { json } = await send('GET', `/api/${path}`);
    for (const item of json) await send('DELETE', `/api/${path}/${encodeURIComponent(String(Object.values(item)[0]))}`);
  }
  for (const [path, body] of [
    ['/api/ports', { place: 'Gijón' }],
    ['/api/boats', WHOLE],
    ['/api/boats', NEXT],
    ['/api/crews', { captain: 'Eva', boat: 'a' }],
    ['/api/crews', { captain: 'Ivo', boat: 'b' }],
    ['/api/crews/Eva/shifts', { number: '1', relief: 'b' }],
    ['/api/crews/Eva/shifts', { number: '2', relief: 'a' }],
    ['/api/crews/Ivo/shifts', { number: '1', relief: 'a' }],
    ['/api/crews/Ivo/shifts', { number: '2' }],
  ] as const)
    expect((await send('POST', path, body)).status).toBe(201);
});

test.each([
  ['/api/crews/Eva?include=boat', '/api/boats/a', '{"captain":"Eva","boat":', '}'],
  ['/api/tripulaciones/Eva?incluir=barco', '/api/barcos/a', '{"capitan":"Eva","barco":', '}'],
  ['/api/tripulaciones?incluir=barco&capitan=ivo', '/api/barcos/b', '[{"capitan":"Ivo","barco":', '}]'],
  [
    '/api/exportaciones/tripulaciones?incluir=barco&formato=ndjson&capitan=eva',
    '/api/barcos/a',
    '{"capitan":"Eva","barco":',
    '}\n',
  ],
  ['/api/crews/Eva/shifts?include=relief&number=2', '/api/boats/a', '[{"number":"2","relief":', '}]'],
  ['/api/shifts?include=relief&crew=Ivo&number=1', '/api/boats/a', '[{"number":"1","relief":', ',"crew":"Ivo"}]'],
  ['/api/turnos?incluir=relevo&relevo=b', '/api/barcos/b', '[{"numero":"1","relevo":', ',"tripulacion":"Eva"}]'],
])('%s has %s', async (path, item, start, end) => {
  const { text } = await send('GET', path);
  expect(text).toBe(start + (await send('GET', item)).text + end);
});

test('a change tells again what includes it: in a list, in that of one parent, in that across parents', async () => {
  const position = (await send('GET', '/api/crews')).headers.get('x-change');
  expect((await send('PATCH', '/api/barcos/a', { nombre: 'Aurora' })).status).toBe(200);
  const told = async (path: string) => (await send('GET', `${path}&changed_since=${position}`)).json;
  const boat = { ...WHOLE, name: 'Aurora' };
  expect(await told('/api/crews?include=boat')).toEqual([{ captain: 'Eva', boat }]);
  expect(await told('/api/crews/Ivo/shifts?include=relief')).toEqual([{ number: '1', relief: boat }]);
  expect(await told('/api/changes/shifts?include=relief')).toEqual([
    { number: '2', crew: 'Eva', relief: boat },
    { number: '1', crew: 'Ivo', relief: boat },
  ]);
  expect(await told('/api/shifts?include=relief&crew=eva')).toEqual([{ number: '2', crew: 'Eva', relief: boat }]);
});

const tagOf = ({ headers }: TestResponse) => headers.get('etag');

test('a tag changes with what is included, and without it does not', async () => {
  const paths = ['/api/crews/Eva', '/api/crews/Eva?include=boat', '/api/tripulaciones?incluir=barco'];
  const tags = () => Promise.all(paths.map(async (path) => tagOf(await send('GET', path))));
  const [plain, item, list] = await tags();
  expect((await send('GET', paths[1] ?? '', undefined, { 'if-none-match': item ?? '' })).status).toBe(304);
  await send('PATCH', '/api/boats/a', { berths: 7 });
  const after = await tags();
  expect(after[0]).toBe(plain);
  expect([after[1] === item, after[2] === list]).toEqual([false, false]);
  const stale = await send('GET', paths[1] ?? '', undefined, { 'if-none-match': item ?? '' });
  expect([stale.status, stale.json.boat.berths]).toEqual([200, 7]);
  // What is included is no part of what is written.
  expect((await send('PATCH', '/api/crews/Eva', { boat: 'b' }, { 'if-match': item ?? '' })).status).toBe(200);
});

test('events tell each item that includes what has changed; after one of them the others follow', async () => {
  const position = (await send('GET', '/api/crews')).headers.get('x-change') ?? '';
  await send('PATCH', '/api/boats/a', { name: 'Aurora' });
  const follow = async (after: string) => {
    const headers = { accept: 'text/event-stream', 'last-event-id': after };
    const { text } = await send('GET', '/api/turnos?incluir=relevo&campos=numero', undefined, headers);
    return [...text.matchAll(/^event: (.*)\nid: (.*)\ndata: (.*)$/gm)].map(([, event, id = '', data = '']) => {
      const { relevo, ...rest } = JSON.parse(data);
      return { event, id, ...rest, nombre: relevo.nombre };
    });
  };
  const events = await follow(position);
  const [first, second] = events;
  expect(events).toEqual([
    { event: 'changed', id: first?.id, numero: '2', tripulacion: 'Eva', nombre: 'Aurora' },
    { event: 'changed', id: second?.id, numero: '1', tripulacion: 'Ivo', nombre: 'Aurora' },
  ]);
  expect(await follow(first?.id ?? '')).toEqual([second]);
  expect(await follow(second?.id ?? '')).toEqual([]);
});
