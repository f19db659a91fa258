import { describe, expect, onTestFinished, test } from 'vitest';
import { readEvents } from '../../support/app/events.ts';
import { openServer } from '../../support/app/server.ts';

const events = { accept: 'text/event-stream' };
const json = { 'content-type': 'application/json' };

const openService = async () => {
  const { origin, close, stop } = await openServer();
  onTestFinished(close);
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(origin + path, { method, ...(body && { headers: json, body: JSON.stringify(body) }) });
  const follow = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(origin + path, { headers: { ...events, ...headers } });
    expect(response.status).toBe(200);
    const stream = readEvents(response);
    onTestFinished(() => stream.leave().catch(() => {}));
    return { ...stream, headers: response.headers };
  };
  await send('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'León' });
  await send('POST', '/api/cars/a/oils', { type: '5W-30' });
  const positionNow = async (): Promise<string> =>
    (await send('GET', '/api/cars?changed_since=now')).headers.get('x-change') ?? '';
  return { origin, send, follow, stop, positionNow };
};

describe('a stream', () => {
  test('tells what is created, changed and deleted from now on, in the words of its tree, with positions that deltas take', async () => {
    const { send, follow } = await openService();
    const stream = await follow('/api/coches');
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'content-language': 'es',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      vary: 'Accept',
    });
    await send('POST', '/api/cars', { identifier: 'b', brand: 'Audi', model: 'A3' });
    const created = await stream.next();
    expect(created).toMatchObject({ event: 'created', data: { identificador: 'b', marca: 'Audi', modelo: 'A3' } });
    await send('PUT', '/api/coches/a', { puertas: 5 });
    expect(await stream.next()).toMatchObject({
      event: 'changed',
      data: { identificador: 'a', marca: 'Seat', modelo: 'León', puertas: 5 },
    });
    await send('DELETE', '/api/cars/b');
    expect(await stream.next()).toMatchObject({ event: 'deleted', data: { identificador: 'b', eliminado: true } });
    const rest = await send('GET', `/api/cars?changed_since=${created?.id}`);
    expect(await rest.json()).toEqual([
      { identifier: 'a', brand: 'Seat', model: 'León', doors: 5 },
      { identifier: 'b', deleted: true },
    ]);
    expect(stream.retry()).toBe(1_000);
  });

  test('of nested items names what they are; of cars with their oils tells the car', async () => {
    const { send, follow } = await openService();
    const oils = await follow('/api/coches/a/aceites');
    const cars = await follow('/api/cars?include=oils&fields=model');
    await send('POST', '/api/cars/a/oils', { type: '10W-40' });
    expect(await oils.next()).toMatchObject({ event: 'oil.created', data: { tipo: '10W-40' } });
    expect(await cars.next()).toMatchObject({
      event: 'changed',
      data: { identifier: 'a', model: 'León', oils: [{ type: '5W-30' }, { type: '10W-40' }] },
    });
    await send('DELETE', '/api/cars/a');
    expect(await oils.next()).toMatchObject({ event: 'gone' });
    expect(await oils.next()).toBeUndefined();
  });

  test('begins where changed_since says; Last-Event-ID wins', async () => {
    const { send, follow, positionNow } = await openService();
    const before = await positionNow();
    await send('PUT', '/api/cars/a', { doors: 3 });
    const between = await positionNow();
    await send('POST', '/api/cars', { identifier: 'b', brand: 'Audi', model: 'A3' });
    const path = `/api/coches?cambiado_desde=${before}`;
    expect(await (await follow(path)).next()).toMatchObject({ event: 'changed', data: { identificador: 'a' } });
    const later = await follow(path, { 'last-event-id': between });
    expect(await later.next()).toMatchObject({ event: 'created', data: { identificador: 'b' } });
    const all = await follow('/api/cars?changed_since=0&number_of_elements=1');
    expect([await all.next(), await all.next()]).toMatchObject([
      { event: 'created', data: { identifier: 'a', doors: 3 } },
      { event: 'created', data: { identifier: 'b' } },
    ]);
  });

  test('with a filter tells what leaves it as deleted, and its position goes on with what it does not tell', async () => {
    const { send, follow } = await openService();
    const seats = await follow('/api/cars?brand=seat');
    await send('PUT', '/api/cars/a', { brand: 'Cupra' });
    expect(await seats.next()).toMatchObject({ event: 'deleted', data: { identifier: 'a', deleted: true } });
  });

  test.each([
    ['/api/cars', 'zzzzzzzzzz', { changed_since: '/api/cars?changed_since=0' }],
    ['/api/coches', '?', { cambiado_desde: '/api/coches?cambiado_desde=0' }],
    ['/api/coches?marca=seat', '1.otherfil', { cambiado_desde: '/api/coches?cambiado_desde=0' }],
  ])('of %s after the position %s says once that it is gone, and goes on from now', async (path, id, data) => {
    const { send, follow } = await openService();
    const stream = await follow(path, { 'last-event-id': id });
    expect(await stream.next()).toMatchObject({ event: 'gone', data });
    await send('PUT', '/api/cars/a', { year: 2020 });
    expect(await stream.next()).toMatchObject({ event: 'changed' });
  });

  test('ends when the service does, and its clients do not all come back at once', async () => {
    const { follow, stop } = await openService();
    const streams = [await follow('/api/cars'), await follow('/api/coches'), await follow('/api/cars?brand=seat')];
    const stopped = stop(0);
    for (const stream of streams) expect(await stream.next()).toBeUndefined();
    expect(new Set(streams.map(({ retry }) => retry())).size).toBeGreaterThan(1);
    await stopped;
  });
});

test.each([
  ['/api/cars?sort_by=year', 400, '“text/event-stream” and “sort_by” exclude each other.'],
  ['/api/coches?pagina=1', 400, '«text/event-stream» y «pagina» se excluyen entre sí.'],
  ['/api/coches?agrupar_por=marca', 400, '«text/event-stream» y «agrupar_por» se excluyen entre sí.'],
  ['/api/coches/x/aceites', 404, 'No existe el coche «x».'],
])('%s as a stream is %i', async (path, status, detail) => {
  const { origin } = await openService();
  const response = await fetch(origin + path, { headers: events });
  expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([status, detail]);
});

describe('a client that waits', () => {
  test('is told of the first change, also of one that comes while it asks', async () => {
    const { origin, send, positionNow } = await openService();
    const waiting = fetch(`${origin}/api/coches?cambiado_desde=${await positionNow()}`, {
      headers: { prefer: 'wait=25' },
    });
    await send('PUT', '/api/cars/a', { doors: 3 });
    const response = await waiting;
    expect(response.headers.get('preference-applied')).toBe('wait=25');
    expect(await response.json()).toMatchObject([{ identificador: 'a', puertas: 3 }]);
  });

  test('gets nothing once its time is over, and a position as always', async () => {
    const { origin, positionNow } = await openService();
    const position = await positionNow();
    const response = await fetch(`${origin}/api/cars?changed_since=${position}`, { headers: { prefer: 'wait=1' } });
    expect([await response.json(), response.headers.get('x-change')]).toEqual([[], position]);
  });

  test('waits for nothing where there is something, or the position is gone', async () => {
    const { origin } = await openService();
    const headers = { prefer: 'wait=25' };
    const all = await fetch(`${origin}/api/cars?changed_since=0`, { headers });
    expect(await all.json()).toHaveLength(1);
    expect((await fetch(`${origin}/api/cars?changed_since=zzzzzzzzzz`, { headers })).status).toBe(410);
  });
});
