/** Requests of a client that sends too many. */

import { expect, onTestFinished, test } from 'vitest';
import type { Access } from '../../../src/gateway/model/access.ts';
import { createAddressReader, createRangeTest } from '../../../src/host/access/client.ts';
import { createKeyIdentifier, makeKey } from '../../../src/host/access/keys.ts';
import { createAccessGate, createRequestLimit, RequestCounter } from '../../../src/host/access/policies.ts';
import { openServer } from '../../support/app/server.ts';

/** A window in which the whole test happens. */
const LIMIT = { quota: 3, window: 86_400 };
const addressOf = createAddressReader(createRangeTest(['127.0.0.1']));

const open = async (access: Access = 'open', limit = LIMIT) => {
  const server = await openServer({
    access,
    guards: ({ apiKeys }) => [
      createAccessGate(access, createKeyIdentifier(apiKeys), createRequestLimit(limit, addressOf)),
    ],
  });
  onTestFinished(server.close);
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    server.ask(method, path, headers);
  return { ask, store: server.store };
};

test('every response says what is left, and beyond that it is 429', async () => {
  const { ask } = await open();
  const paths = ['/api/coches', '/api/coches', '/api/nada'];
  const answers = [];
  for (const path of paths) answers.push(await ask(path));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
  for (const [at, { header }] of answers.entries()) {
    expect(header('ratelimit-policy')).toBe('"default";q=3;w=86400');
    expect(header('ratelimit')).toMatch(new RegExp(`^"default";r=${2 - at};t=\\d+$`));
  }
  for (const method of ['GET', 'DELETE', 'OPTIONS']) {
    const { status, text, header } = await ask('/api/coches', {}, method);
    expect([status, header('content-language')]).toEqual([429, 'es']);
    const seconds = header('retry-after') ?? '';
    expect(header('ratelimit')).toBe(`"default";r=0;t=${seconds}`);
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(text).toContain('"code":"rate-limited"');
    expect(text.replaceAll('\u00a0', '')).toContain(
      `Este cliente ha enviado demasiadas peticiones. Vuelva a intentarlo dentro de ${seconds} s.`,
    );
  }
  const english = await ask('/api/cars');
  expect(english.text).toContain('This client has sent too many requests. Try again in ');
});

test('who watches over the service is not counted', async () => {
  const { ask } = await open();
  for (let time = 1; time <= 4; time++) {
    for (const path of ['/livez', '/readyz']) {
      const { status, header } = await ask(path);
      expect([status, header('ratelimit')]).toEqual([200, undefined]);
    }
  }
  expect((await ask('/api')).header('ratelimit')).toMatch(/r=2/);
});

test('clients are told apart by their keys, and without a valid one by their addresses', async () => {
  const { ask, store } = await open('write');
  const add = async () => {
    const { key, stored } = makeKey({ name: 'x', scopes: ['read'], created: 0, expires: undefined });
    await store.apiKeys.add(stored);
    return key;
  };
  const [one, other] = [await add(), await add()];
  const statuses = async (key: string, method: string) => {
    const found = [];
    for (let time = 1; time <= 4; time++) found.push((await ask('/api/cars/a', { 'X-API-Key': key }, method)).status);
    return found;
  };
  expect(await statuses(one, 'GET')).toEqual([404, 404, 404, 429]);
  expect(await statuses(other, 'DELETE')).toEqual([403, 403, 403, 429]);
  // Keys that are tried out.
  expect(await statuses('x', 'DELETE')).toEqual([401, 401, 401, 429]);
  expect((await ask('/api/cars')).status).toBe(429);
});

test('addresses of one subnet of version 6 are one client, as a proxy tells of them', async () => {
  const { ask } = await open();
  const statuses = [];
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4', '2001:db8:0:1::1', '192.0.2.1'])
    statuses.push((await ask('/api/coches', { 'X-Forwarded-For': address })).status);
  expect(statuses).toEqual([200, 200, 200, 429, 200, 200]);
});

test('a client has its count in each window, whatever others do', () => {
  const counter = new RequestCounter(60);
  const start = 60_000_000;
  const requests: readonly (readonly [client: string, time: number, count: number])[] = [
    ['a', start, 1],
    ['a', start, 2],
    ['b', start, 1],
    ['a', start + 59_999, 3],
    ['a', start + 60_000, 1],
    ['b', start + 60_000, 1],
    ['b', start + 60_000, 2],
    // The clock was set back.
    ['b', start - 1, 1],
  ];
  for (const [client, time, count] of requests)
    expect(counter.count(client, time).count, `${client} ${time}`).toBe(count);
  expect(counter.count('c', 61_000)).toEqual({ count: 1, end: 120_000 });
});

test('however many addresses are made up, a client that sends on is not forgotten', () => {
  const counter = new RequestCounter(60);
  const times = [];
  for (let at = 0; at < 120_000; at++) {
    counter.count(`address ${at}`, 0);
    if (at % 1_000 === 0) times.push(counter.count('client', 0).count);
  }
  expect(times).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
  expect(counter.count('address 119999', 0).count).toBe(2);
  expect(counter.count('address 0', 0).count).toBe(1);
});
