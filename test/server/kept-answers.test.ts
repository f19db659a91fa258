/** Answers that are given again: what is kept, for how long, and that nobody can tell. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Env } from '../../src/http/env.ts';
import { respondAlike } from '../../src/http/respond.ts';
import { serverFor } from '../../src/http/server.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openServer } from '../support/server.ts';
import { serve } from '../support/service.ts';

const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };
const limits = { headersTimeout: 10_000, requestTimeout: 60_000, idleTimeout: 30_000, bodyLimit: 1_048_576 };

/** A server whose answers say the how manieth they are; `?size=` makes them long, `?late` late. */
const openCounter = async (state: { now: number | undefined }, whileMade = async (): Promise<void> => {}) => {
  let made = 0;
  const app = new Hono<Env>();
  app.all('*', async (c) => {
    const text = `${++made} `.padEnd(Number(c.req.query('size') ?? 0), '.');
    if (c.req.query('late') !== undefined) await whileMade();
    return respondAlike(c, text, { 'X-Request-Id': 'first', ETag: '"1"' });
  });
  const server = serverFor(app, { ...limits, state: () => state.now });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async (path: string, init: RequestInit = {}): Promise<number> =>
    Number.parseInt(await (await fetch(origin + path, init)).text(), 10);
};

test('an answer is given again for its address alone, and only in its state', async () => {
  const state: { now: number | undefined } = { now: 1 };
  const ask = await openCounter(state);
  expect(await ask('/a')).toBe(1);
  expect(await ask('/a')).toBe(1);
  expect(await ask('/b')).toBe(2);
  expect(await ask('/a?')).toBe(3);
  expect(await ask('/a')).toBe(1);
  state.now = 2;
  expect(await ask('/a')).toBe(4);
  state.now = 1;
  expect(await ask('/a')).toBe(5);
  state.now = undefined;
  expect(await ask('/a')).toBe(6);
  expect(await ask('/a')).toBe(7);
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
  expect(await ask('/a', init)).toBe(2);
  expect(await ask('/a', init)).toBe(3);
});

test.each(['*/*', 'application/json'])('Accept: %s asks for what is kept', async (accept) => {
  const ask = await openCounter({ now: 1 });
  expect(await ask('/a')).toBe(1);
  expect(await ask('/a', { headers: { Accept: accept } })).toBe(1);
});

test('an answer that was begun in a state that is over is not kept', async () => {
  const state = { now: 1 };
  const ask = await openCounter(state, async () => {
    if (state.now > 1) return;
    state.now = 2;
    // Somebody else looks before the first answer is done.
    await ask('/other');
  });
  expect(await ask('/a?late')).toBe(1);
  expect(await ask('/a?late')).toBe(3);
  expect(await ask('/a?late')).toBe(3);
});

test('what is kept has an end: the oldest goes first, and what is too long never comes', async () => {
  const ask = await openCounter({ now: 1 });
  expect(await ask('/long?size=65537')).toBe(1);
  expect(await ask('/long?size=65537')).toBe(2);
  for (let at = 0; at < 200; at++) await ask(`/${at}?size=60000`);
  expect(await ask('/199?size=60000')).toBe(202);
  expect(await ask('/0?size=60000')).toBe(203);
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
    const again = await fetch(origin + path, { headers: { 'X-Request-Id': 'mine' } });
    expect(again.headers.get('x-request-id')).toBe('mine');
    expect((await fetch(origin + path)).headers.get('x-request-id')).toMatch(/^(?!mine)[\w-]{21}$/);
    const seen = await shown(again);
    expect(seen).toEqual(await shown(first));
    expect(seen.status).toBe(200);
    expect(seen.text).not.toContain(foreign);
  });
});

test('of two processes on one file, each shows at once what the other has acknowledged', async () => {
  const env = { DATABASE_URL: `sqlite:${join(temporaryFolder(), 'cars.db')}` };
  const [one, two] = [await serve({ env }), await serve({ env })];
  const brandAt = async (address: string, word: string): Promise<unknown> =>
    ((await (await fetch(address)).json()) as Readonly<Record<string, unknown>>)[word];
  await fetch(`${one.origin}/api/cars`, {
    ...JSON_BODY,
    method: 'POST',
    body: '{"identifier":"a","brand":"0","model":"x"}',
  });
  for (let round = 1; round <= 300; round++) {
    const [writer, reader] = round % 3 === 0 ? [two, one] : [one, two];
    const brand = String(round);
    const put = await fetch(`${writer.origin}/api/coches/a`, {
      ...JSON_BODY,
      method: 'PUT',
      body: `{"marca":"${brand}"}`,
    });
    expect(put.status).toBe(200);
    expect(await brandAt(`${reader.origin}/api/cars/a`, 'brand')).toBe(brand);
    expect(await brandAt(`${writer.origin}/api/coches/a`, 'marca')).toBe(brand);
    const [listed] = (await (await fetch(`${reader.origin}/api/cars`)).json()) as readonly { readonly brand: string }[];
    expect(listed?.brand).toBe(brand);
  }
});
