/** Answers that are given again: what is kept, for how long, and that nobody can tell. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Dependency, Env } from '../../../src/http/context.ts';
import { accepted } from '../../../src/http/read/accept.ts';
import { serverFor } from '../../../src/http/server/server.ts';
import { respondCacheable } from '../../../src/http/write/respond.ts';
import { openServer } from '../../support/app/server.ts';
import { runsOf } from '../../support/database/database.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { serve } from '../../support/process/service.ts';

const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  idleTimeout: 30_000,
  maxConnections: 4_000,
};

/** Bytes. */
const ROOM = 1_048_576;

const byType: Dependency = ({ headers: { accept } }) =>
  accepted(accept, [{ type: 'application/json' }, { type: 'text/csv' }])?.type;
const byKey: Dependency = ({ headers }) => headers['x-key']?.toString();

/** What a database tells: by default each of its versions takes a change number, and no response outlives one. */
interface State {
  now: number | undefined;
  change?: number;
  isCurrent?: boolean;
  /** By default not known. */
  changed?: readonly string[];
}

/** A server that counts its responses; `?size=` makes them long, `?late` late. Each is kept from the second request on, under its path. */
const openCounter = async (
  state: State,
  whileMade = async (): Promise<void> => {},
  dependsOn: readonly Dependency[] = [byType],
  headers: Readonly<Record<string, string>> = {},
) => {
  let made = 0;
  const app = new Hono<Env>();
  app.all('*', async (c) => {
    const text = `${++made} `.padEnd(Number(c.req.query('size') ?? 0), '.');
    if (c.req.query('late') !== undefined) await whileMade();
    return respondCacheable(c, text, { 'X-Request-Id': 'first', ETag: '"1"', ...headers }, dependsOn, {
      name: c.req.path,
      isCurrent: () => state.isCurrent ?? false,
    });
  });
  const validator = {
    dataVersion: () => state.now,
    lastChange: () => state.change ?? state.now ?? 0,
    changedSince: () => state.changed,
  };
  const { server } = serverFor(app, { ...limits, validator, cacheCapacity: ROOM });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async (path: string, init: RequestInit = {}): Promise<number> =>
    Number.parseInt(await (await fetch(origin + path, init)).text(), 10);
};

test('an answer is given again for its address alone, and only in its state', async () => {
  const state: State = { now: 1 };
  const ask = await openCounter(state);
  expect(await ask('/a')).toBe(1);
  expect(await ask('/a')).toBe(2);
  expect(await ask('/a')).toBe(2);
  expect(await ask('/b')).toBe(3);
  expect(await ask('/a?')).toBe(4);
  expect(await ask('/a')).toBe(2);
  state.now = 2;
  expect(await ask('/a')).toBe(5);
  expect(await ask('/a')).toBe(5);
  state.now = 1;
  expect(await ask('/a')).toBe(6);
  state.now = undefined;
  expect(await ask('/a')).toBe(7);
  expect(await ask('/a')).toBe(8);
});

const special: readonly (readonly [what: string, init: RequestInit])[] = [
  ['POST', { method: 'POST' }],
  ['PUT', { method: 'PUT' }],
  ['DELETE', { method: 'DELETE' }],
  ['If-None-Match', { headers: { 'If-None-Match': '"0"' } }],
  ['If-Match', { headers: { 'If-Match': '"1"' } }],
  ['another Accept', { headers: { Accept: 'text/html' } }],
  ['an Accept with a weight', { headers: { Accept: 'application/json;q=0' } }],
];
test.each(special)('a request with %s is never answered from what is kept', async (_, init) => {
  const ask = await openCounter({ now: 1 });
  expect(await ask('/a')).toBe(1);
  expect(await ask('/a')).toBe(2);
  expect(await ask('/a', init)).toBe(3);
  expect(await ask('/a', init)).toBe(4);
  expect(await ask('/a')).toBe(2);
});

test.each(['*/*', 'application/json'])('Accept: %s asks for what is kept', async (accept) => {
  const ask = await openCounter({ now: 1 });
  expect(await ask('/a')).toBe(1);
  expect(await ask('/a')).toBe(2);
  expect(await ask('/a', { headers: { Accept: accept } })).toBe(2);
});

test('each representation is an answer of its own', async () => {
  const ask = await openCounter({ now: 1 });
  const csv = { headers: { Accept: 'text/csv' } };
  expect(await ask('/a')).toBe(1);
  expect(await ask('/a')).toBe(2);
  expect(await ask('/a', csv)).toBe(3);
  expect(await ask('/a', csv)).toBe(3);
  expect(await ask('/a', { headers: { Accept: 'text/csv;q=0.5, application/json;q=0.1' } })).toBe(3);
  expect(await ask('/a', { headers: { Accept: 'application/json, text/plain, */*' } })).toBe(2);
});

test('whatever the handler names is told apart, and a request of which it cannot be told comes to the handler', async () => {
  const ask = await openCounter({ now: 1 }, undefined, [byType, byKey]);
  const as = (key: string) => ({ headers: { 'X-Key': key } });
  expect(await ask('/a', as('one'))).toBe(1);
  expect(await ask('/a', as('one'))).toBe(2);
  expect(await ask('/a', as('two'))).toBe(3);
  expect(await ask('/a', as('two'))).toBe(3);
  expect(await ask('/a', as('one'))).toBe(2);
  expect(await ask('/a')).toBe(4);
  expect(await ask('/a')).toBe(5);
});

test('an answer that was begun in a state that is over is not kept', async () => {
  const state = { now: 1, isOver: false };
  const ask = await openCounter(state, async () => {
    if (!state.isOver || state.now > 1) return;
    state.now = 2;
    // Somebody else looks before the first answer is done.
    await ask('/other');
  });
  expect(await ask('/a?late')).toBe(1);
  state.isOver = true;
  expect(await ask('/a?late')).toBe(2);
  expect(await ask('/a?late')).toBe(4);
  expect(await ask('/a?late')).toBe(4);
});

test('a response that can tell that it is still current outlives a commit', async () => {
  const state: State = { now: 1, isCurrent: true };
  const ask = await openCounter(state);
  expect(await ask('/a')).toBe(1);
  expect(await ask('/a')).toBe(2);
  state.now = 2;
  expect(await ask('/a')).toBe(2);
  state.isCurrent = false;
  expect(await ask('/a')).toBe(2);
  state.now = 3;
  expect(await ask('/a')).toBe(3);
});

test('a response outlives every commit that is known not to have changed its item', async () => {
  const state: State = { now: 1, isCurrent: false };
  const ask = await openCounter(state);
  for (const made of [1, 2, 2]) expect(await ask('/a')).toBe(made);
  for (const made of [3, 4, 4]) expect(await ask('/b')).toBe(made);
  state.changed = ['/b'];
  state.now = 2;
  expect([await ask('/a'), await ask('/b')]).toEqual([2, 5]);
  expect([await ask('/a'), await ask('/b')]).toEqual([2, 5]);
  // One commit after the other, of which nobody asks for what the first has changed.
  state.changed = ['/a'];
  state.now = 3;
  expect(await ask('/b')).toBe(5);
  state.changed = [];
  state.now = 4;
  expect([await ask('/a'), await ask('/b')]).toEqual([6, 5]);
  // Nobody knows what changed; then it is known again, for what was made since.
  delete state.changed;
  state.now = 5;
  expect(await ask('/b')).toBe(7);
  state.changed = [];
  state.now = 6;
  expect([await ask('/a'), await ask('/b')]).toEqual([8, 7]);
});

test('nothing outlives a commit that took no change number', async () => {
  const state: State = { now: 1, change: 7, isCurrent: true };
  const ask = await openCounter(state);
  for (const made of [1, 2, 2]) expect(await ask('/a')).toBe(made);
  state.now = 2;
  expect(await ask('/a')).toBe(3);
});

test('without a database that tells its version nothing is kept', async () => {
  const ask = await openCounter({ now: undefined, isCurrent: true });
  for (const made of [1, 2, 3, 4]) expect(await ask('/a')).toBe(made);
});

test('a response that has another value for a header of all responses is not kept', async () => {
  const ask = await openCounter({ now: 1 }, undefined, undefined, { 'Cache-Control': 'no-store' });
  for (const made of [1, 2, 3]) expect(await ask('/a')).toBe(made);
});

test('what is kept has an end: the oldest goes first, and what is too long never comes', async () => {
  const ask = await openCounter({ now: 1 });
  for (const made of [1, 2, 3]) expect(await ask('/long?size=65537')).toBe(made);
  for (let at = 0; at < 25; at++) {
    await ask(`/${at}?size=60000`);
    await ask(`/${at}?size=60000`);
  }
  expect(await ask('/24?size=60000')).toBe(53);
  expect(await ask('/0?size=60000')).toBe(54);
});

test('with CACHE_LIMIT=0 nothing is kept, and everything is answered', async () => {
  const { origin } = await serve({ env: { DATABASE_URL: 'sqlite::memory:', CACHE_LIMIT: '0' } });
  const body = JSON.stringify({ identifier: 'a', brand: 'Seat', model: 'Ibiza' });
  await fetch(`${origin}/api/cars`, { ...JSON_BODY, method: 'POST', body });
  for (const path of ['/api/coches/a', '/api/coches?pagina=1']) {
    const texts = await Promise.all([1, 2, 3].map(async () => (await fetch(origin + path)).text()));
    expect(new Set(texts)).toEqual(new Set([expect.stringContaining('"marca":"Seat"')]));
  }
});

test('a header with a line break is never sent, nor kept', async () => {
  const ask = await openCounter({ now: 1 }, undefined, undefined, { 'X-A': 'a\r\nX-B: b' });
  for (let times = 0; times < 3; times++) expect(await ask('/a')).toBeNaN();
});

describe('a head that is sent again is the one that Node makes', () => {
  const PATH = '/api/coches/a';
  const request = (version: string, ...headers: readonly string[]): string =>
    [`GET ${PATH} HTTP/${version}`, 'Host: cars.example', ...headers, '', ''].join('\r\n');
  const last = request('1.1', 'Connection: close');
  /** Order and case of the names may differ, and some values must. */
  const linesOf = (responses: string): readonly string[] =>
    responses
      .replaceAll(/^[\w-]+:/gm, (name) => name.toLowerCase())
      .replaceAll(/^(date|x-request-id): .*$/gm, '$1')
      .split('\r\n')
      .toSorted();
  test.each([
    ['HTTP/1.1', request('1.1') + last],
    ['one that ends its connection', last],
    ['HTTP/1.0', request('1.0')],
    ['HTTP/1.0 on a connection that stays', request('1.0', 'Connection: keep-alive') + last],
  ])('%s', async (_, requests) => {
    const { origin, raw, close } = await openServer({ database: `sqlite:${join(temporaryFolder(), 'cars.db')}` });
    onTestFinished(close);
    const body = JSON.stringify({ identificador: 'a', marca: 'Citroën', modelo: 'C4' });
    await fetch(`${origin}/api/coches`, { ...JSON_BODY, method: 'POST', body });
    // HEAD is never cached, and responds with the same head.
    const made = linesOf(await raw(requests.replaceAll('GET', 'HEAD')));
    for (let times = 0; times < 2; times++) await (await fetch(origin + PATH)).text();
    const sent = await raw(requests);
    expect(sent).toContain('"modelo":"C4"');
    expect(linesOf(sent.replaceAll(/\{.*?\}/g, ''))).toEqual(made);
  });
});

describe('nobody can tell', () => {
  const NEW = ['date', 'x-request-id'];
  const shown = async (response: Response) => ({
    status: response.status,
    headers: [...response.headers].filter(([name]) => !NEW.includes(name)),
    text: await response.text(),
  });
  test.each([
    ['/api/cars/a%201', '"modelo"'],
    ['/api/coches/a%201', '"model"'],
    ['/api/cars/a%201/oils?number_of_elements=1', '"otros_datos"'],
    ['/api/coches/a%201/aceites?numero_de_elementos=1', '"otherInfo"'],
    ['/api/cars', '"modelo"'],
    ['/api/coches?marca=citroen&ordenar_por=anio&pagina=1', '"model"'],
  ])('%s', async (path, foreign) => {
    const { origin, close } = await openServer({ database: `sqlite:${join(temporaryFolder(), 'cars.db')}` });
    onTestFinished(close);
    const post = (target: string, body: object) =>
      fetch(origin + target, { ...JSON_BODY, method: 'POST', body: JSON.stringify(body) });
    await post('/api/cars', { identifier: 'a 1', brand: 'Citroën', model: 'C4' });
    await post('/api/cars/a%201/oils', { type: '5W-30', otherInfo: 'año' });
    const first = await fetch(origin + path);
    await fetch(origin + path);
    const again = await fetch(origin + path, { headers: { 'X-Request-Id': 'mine' } });
    expect(again.headers.get('x-request-id')).toBe('mine');
    expect((await fetch(origin + path)).headers.get('x-request-id')).toMatch(/^(?!mine)[\w-]{21}$/);
    const seen = await shown(again);
    expect(seen).toEqual(await shown(first));
    expect(seen.status).toBe(200);
    expect(seen.text).not.toContain(foreign);
  });
});

test('of two processes on one file that both write, each shows at once what the other has acknowledged', async () => {
  const env = { DATABASE_URL: `sqlite:${join(temporaryFolder(), 'cars.db')}` };
  const [one, two] = [await serve({ env }), await serve({ env })];
  const read = async (address: string): Promise<unknown> => (await fetch(address)).json();
  const write = (method: string, address: string, body: object): Promise<Response> =>
    fetch(address, { ...JSON_BODY, method, body: JSON.stringify(body) });

  /** Writes one car by turns through both, and asks both for it each time it was acknowledged. */
  const hunt = async (key: string, rounds: number): Promise<void> => {
    await write('POST', `${one.origin}/api/cars`, { identifier: key, brand: '0', model: 'x' });
    for (let round = 1; round <= rounds; round++) {
      const [writer, reader] = round % 3 === 0 ? [two, one] : [one, two];
      const brand = String(round);
      expect((await write('PUT', `${writer.origin}/api/coches/${key}`, { marca: brand })).status).toBe(200);
      expect(await read(`${reader.origin}/api/cars/${key}`)).toMatchObject({ brand });
      expect(await read(`${writer.origin}/api/coches/${key}`)).toMatchObject({ marca: brand });
      for (const _ of ['made', 'kept', 'given again']) {
        expect(await read(`${reader.origin}/api/cars?identifier=${key}`)).toMatchObject([{ brand }]);
        expect(await read(`${reader.origin}/api/coches?identificador=${key}&pagina=1`)).toMatchObject([
          { marca: brand },
        ]);
      }
    }
  };
  await Promise.all(['a', 'b', 'c'].map((key) => hunt(key, runsOf(15))));
});
