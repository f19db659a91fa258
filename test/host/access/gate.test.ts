/** What needs a key, and what a key is good for. */
import { afterAll, describe, expect, test } from 'vitest';
import type { Access, Scope } from '../../../src/gateway/model/access.ts';
import type { KnownClients } from '../../../src/host/access/client.ts';
import { createKeyIdentifier, makeKey } from '../../../src/host/access/keys.ts';
import { createAccessGate } from '../../../src/host/access/policies.ts';
import { openServer } from '../../support/app/server.ts';

const CAR = '{"identificador":"a","marca":"Seat","modelo":"Ibiza"}';
const NOBODYS = makeKey({ name: 'x', scopes: ['read', 'write'], created: 0, expires: undefined }).key;

const open = async (access: Access) => {
  const clients: KnownClients = new WeakMap();
  const server = await openServer({
    access,
    clientIdOf: ({ env }) => clients.get(env.incoming)?.id,
    guards: ({ apiKeys }) => [createAccessGate(access, createKeyIdentifier(apiKeys), undefined, clients)],
  });
  const keyFor = async (scopes: readonly Scope[], expires?: number): Promise<string> => {
    const { key, stored } = makeKey({ name: 'test', scopes, created: 0, expires });
    await server.store.apiKeys.add(stored);
    return key;
  };
  const keys = {
    none: '',
    nobodys: NOBODYS,
    reading: await keyFor(['read']),
    writing: await keyFor(['write']),
    both: await keyFor(['read', 'write']),
    expired: await keyFor(['read', 'write'], 1),
  };
  const ask = async (
    method: string,
    path: string,
    key = '',
    body = '',
    more: Readonly<Record<string, string>> = {},
  ) => {
    const own = key === '' ? {} : { Authorization: `Bearer ${key}` };
    return server.ask(method, path, { ...own, ...more }, body);
  };
  return { ...server, keys, ask };
};

type Service = Awaited<ReturnType<typeof open>>;
type KeyName = keyof Service['keys'];

const services = { write: await open('write'), all: await open('all') };
afterAll(() => Promise.all(Object.values(services).map(({ close }) => close())));

const names: readonly KeyName[] = ['none', 'nobodys', 'reading', 'writing', 'both', 'expired'];
/** In the order of the names. */
const WRITES = [401, 401, 403, 200, 200, 401];
const READS = [401, 401, 200, 403, 200, 401];
const FREE = [200, 200, 200, 200, 200, 200];

const cases = [
  ['write', 'GET', '/api/coches', FREE],
  ['write', 'HEAD', '/api/cars', FREE],
  ['write', 'GET', '/readyz', FREE],
  ['write', 'OPTIONS', '/api/coches', FREE],
  ['write', 'POST', '/api/coches', WRITES],
  ['write', 'PUT', '/api/coches/none', WRITES],
  ['write', 'PATCH', '/api/coches/none', WRITES],
  ['write', 'DELETE', '/api/cars/none/', WRITES],
  ['write', 'POST', '/api/nada', WRITES],
  ['write', 'PURGE', '/livez', WRITES],
  ['all', 'GET', '/api/coches', READS],
  ['all', 'GET', '/api/c%6Fches', READS],
  ['all', 'GET', '/', READS],
  ['all', 'GET', '/api/nada', READS],
  ['all', 'GET', '/docsx', READS],
  ['all', 'GET', '/%64ocs/', READS],
  ['all', 'GET', '/api/openapi', READS],
  ['all', 'GET', '/%zz', READS],
  ['all', 'GET', 'http://localhost/api/coches', READS],
  ['all', 'GET', '/docs/', FREE],
  // Leads nowhere: no path is normalised.
  ['all', 'GET', '/docs/../api/coches', FREE],
  ['all', 'GET', 'http://localhost/livez', FREE],
  ['all', 'GET', '/readyz/', FREE],
  ['all', 'GET', '/api/openapi.json', FREE],
  ['all', 'GET', '/api/problems/unauthorized', FREE],
  ['all', 'GET', '/api/locales/en', FREE],
  ['all', 'OPTIONS', '/api/coches', FREE],
  ['all', 'POST', '/api/coches', WRITES],
  ['all', 'POST', '/docs/', WRITES],
] as const;

test.each(cases)('with ACCESS=%s, %s %s', async (access, method, path, expected) => {
  const { ask, keys } = services[access];
  for (const [at, name] of names.entries()) {
    const { status, text, header } = await ask(method, path, keys[name]);
    // Whatever comes after the gate is another question.
    const passed = status === 401 || status === 403 ? status : 200;
    expect([name, passed]).toEqual([name, expected[at]]);
    expect(text).not.toContain('cardealer_');
    if (passed === 200) expect(header('www-authenticate')).toBeUndefined();
  }
});

const HEADER = 'Bearer realm="car-dealer-catalogue"';

test.each([
  [
    '/api/cars/a',
    'none',
    401,
    HEADER,
    'A valid key is missing',
    'This needs an API key. Send it as “Authorization: Bearer <key>” or as “X-API-Key: <key>”.',
  ],
  [
    '/api/coches/a',
    'none',
    401,
    HEADER,
    'Falta una clave válida',
    'Esta operación necesita una clave de API. Envíela como «Authorization: Bearer <clave>» o como «X-API-Key: <clave>».',
  ],
  [
    '/api/coches/a',
    'nobodys',
    401,
    `${HEADER}, error="invalid_token"`,
    'Falta una clave válida',
    'La clave (o el token) no es válida: no se reconoce, ha caducado o se ha revocado.',
  ],
  [
    '/api/cars/a',
    'expired',
    401,
    `${HEADER}, error="invalid_token"`,
    'A valid key is missing',
    'The key or token is not valid: it is unknown, has expired or was revoked.',
  ],
  [
    '/api/coches/a',
    'reading',
    403,
    `${HEADER}, error="insufficient_scope", scope="write"`,
    'Acceso denegado',
    'La clave o el token no permite esta operación: le falta el permiso «write».',
  ],
  [
    '/api/cars/a',
    'reading',
    403,
    `${HEADER}, error="insufficient_scope", scope="write"`,
    'Access denied',
    'The key or token does not allow this: it lacks the scope “write”.',
  ],
] as const)('DELETE %s with the key %s is %i and says so', async (path, name, status, challenge, title, detail) => {
  const { ask, keys } = services.write;
  const refused = await ask('DELETE', path, keys[name]);
  expect([refused.status, refused.header('www-authenticate')]).toEqual([status, challenge]);
  const problem = JSON.parse(refused.text.slice(refused.text.indexOf('\r\n\r\n') + 4));
  expect(problem).toMatchObject({ status, title, detail, code: status === 401 ? 'unauthorized' : 'forbidden' });
});

test('X-API-Key is as good as Authorization, and a key in the query is none', async () => {
  const { ask, keys } = services.write;
  // A second try finds what the first one has left.
  await ask('DELETE', '/api/cars/a', keys.both);
  expect((await ask('POST', '/api/coches', '', CAR, { 'X-API-Key': keys.writing })).status).toBe(201);
  expect((await ask('DELETE', `/api/coches/a?api_key=${keys.both}`)).status).toBe(401);
  expect((await ask('DELETE', '/api/coches/a', '', '', { 'X-API-Key': `${keys.both}, x` })).status).toBe(401);
  expect((await ask('DELETE', '/api/cars/a', keys.both)).status).toBe(204);
});

test('an idempotency key is its client’s own', async () => {
  const { ask, keys } = services.write;
  const car = '{"marca":"Seat","modelo":"Ibiza"}';
  const locationFor = async (key: string, more: Readonly<Record<string, string>> = {}) => {
    const { status, header } = await ask('POST', '/api/coches', key, car, { 'Idempotency-Key': '"k"', ...more });
    return [status, header('location')];
  };
  const first = await locationFor(keys.writing);
  const second = await locationFor(keys.both);
  expect(second).not.toEqual(first);
  expect(await locationFor('', { 'X-API-Key': keys.writing })).toEqual(first);
  expect(await locationFor(keys.both)).toEqual(second);
  const { text } = await ask('GET', '/api/coches');
  const made = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
  expect(made).toHaveLength(2);
  for (const { identificador } of made) await ask('DELETE', `/api/coches/${identificador}`, keys.both);
});

test('a request is refused before its body is asked for or read', async () => {
  const { raw } = services.write;
  const head = 'POST /api/coches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n';
  expect(await raw(`${head}Expect: 100-continue\r\n\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
  // Not a byte of the body has come.
  expect(await raw(`${head}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
});

describe('the OpenAPI document', () => {
  const securityIn = async ({ ask }: Pick<Service, 'ask'>) => {
    const { text } = await ask('GET', '/api/openapi.en.json');
    const { paths, components } = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
    const of = (path: string, method: string) => paths[path][method].security;
    return { of, schemes: components.securitySchemes };
  };
  const needs = (scope: Scope) => [{ bearer: [scope] }, { apiKey: [scope] }];

  test('says what each operation needs', async () => {
    const writing = await securityIn(services.write);
    expect([writing.of('/api/cars', 'get'), writing.of('/api/cars', 'post')]).toEqual([undefined, needs('write')]);
    const { of, schemes } = await securityIn(services.all);
    expect(schemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    });
    expect([of('/api/cars', 'get'), of('/api/cars/{identifier}', 'patch')]).toEqual([needs('read'), needs('write')]);
    expect([of('/api', 'get'), of('/api/problems/{code}', 'get'), of('/livez', 'get')]).toEqual([
      needs('read'),
      undefined,
      undefined,
    ]);
  });

  test('says nothing where nothing is needed', async () => {
    const server = await open('open');
    expect((await server.ask('POST', '/api/coches', '', CAR)).status).toBe(201);
    expect((await server.ask('DELETE', '/api/coches/a', NOBODYS)).status).toBe(204);
    const { of, schemes } = await securityIn(server);
    expect([of('/api/cars', 'post'), schemes]).toEqual([undefined, undefined]);
    await server.close();
  });
});
