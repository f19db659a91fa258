/** Requests of a client that sends too many. */
import { expect, onTestFinished, test } from 'vitest';
import type { Access } from '../../../src/gateway/model/access.ts';
import { addressReader, inRanges } from '../../../src/host/access/address.ts';
import { keyRing, makeKey } from '../../../src/host/access/keys.ts';
import { accessGate, limitRequests } from '../../../src/host/access/policies.ts';
import { openServer } from '../../support/app/server.ts';

/** A window in which the whole test happens. */
const LIMIT = { quota: 3, window: 86_400 };
const addressOf = addressReader(inRanges(['127.0.0.1']));

const open = async (access: Access = 'open', limit = LIMIT) => {
  const server = await openServer({
    access,
    guards: ({ apiKeys }) => [accessGate(access, keyRing(apiKeys), limitRequests(limit, addressOf))],
  });
  onTestFinished(server.close);
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const text = await server.raw(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    const header = (name: string): string | undefined => new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i').exec(text)?.[1];
    return { status: Number(text.slice(9, 12)), text: Buffer.from(text, 'latin1').toString(), header };
  };
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

test('a response that is sent again says what is left then', async () => {
  const { ask } = await open('open', { quota: 6, window: 86_400 });
  for (let left = 5; left >= 0; left--) {
    const { status, text } = await ask('/api/cars');
    const lines = text.split('\r\n').filter((line) => /^ratelimit/i.test(line));
    expect([status, lines]).toEqual([
      200,
      ['RateLimit-Policy: "default";q=6;w=86400', expect.stringMatching(`^RateLimit: "default";r=${left};t=\\d+$`)],
    ]);
  }
  expect((await ask('/api/cars')).status).toBe(429);
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

test('clients are told apart by their addresses behind a proxy that is trusted', async () => {
  const { ask } = await open();
  const from = async (address: string) => (await ask('/api/cars', { 'X-Forwarded-For': address })).status;
  for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::1']) {
    expect([await from(address), await from(address), await from(address)]).toEqual([200, 200, 200]);
  }
  expect([await from('192.0.2.1'), await from('192.0.2.3'), await from('2001:db8::2')]).toEqual([429, 200, 429]);
  expect(await from('192.0.2.4, 192.0.2.1')).toBe(429);
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
