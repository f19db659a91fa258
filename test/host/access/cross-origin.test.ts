/** What pages of other origins may do: read everywhere, write where `CORS_ORIGINS` has their origin. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createBrowserPolicies } from '../../../src/host/access/browsers.ts';
import { openServer } from '../../support/app/server.ts';
import { browserPath, openBrowser } from '../../support/process/browser.ts';
import { serveHere } from '../../support/process/service-here.ts';

const SHOP = 'https://shop.example';
const STRANGER = 'https://stranger.example';
const LIST = 'GET, HEAD, POST, OPTIONS';
const ITEM = 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS';
const READ = 'GET, HEAD, OPTIONS';

const policies = createBrowserPolicies({ listensOn: '0.0.0.0', allowedHosts: [], allowedOrigins: [SHOP] });
const server = await openServer({ policies });
afterAll(server.close);

const ask = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
  server.ask(method, path, { Host: 'cars.example', ...headers });
const preflight = (path: string, origin: string, method: string, headers = {}) =>
  ask('OPTIONS', path, { Origin: origin, 'Access-Control-Request-Method': method, ...headers });

const routes = [
  ['/api/cars', LIST],
  ['/api/coches/', LIST],
  ['/api/cars/a/oils', LIST],
  ['/api/coches/a/aceites', LIST],
  ['/api/cars/a', ITEM],
  ['/api/coches/a%2Fb', ITEM],
  ['/api/cars/a/oils/b', ITEM],
  ['/api/coches/a/aceites/b/', ITEM],
  ['/', READ],
  ['/api', READ],
  ['/api/openapi.json', READ],
  ['/api/openapi.es.json', READ],
  ['/api/locales/en', READ],
  ['/api/problems/forbidden', READ],
  ['/docs/', READ],
  ['/livez', READ],
  ['/readyz', READ],
] as const;
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE', 'patch', 'PURGE'];

test.each(routes)('a preflight of %s allows reading to all, and %s to origins that may write', async (path, all) => {
  for (const method of ['GET', 'HEAD']) {
    for (const origin of [SHOP, STRANGER, 'null']) {
      const { status, header } = await preflight(path, origin, method);
      expect([status, header('access-control-allow-methods')]).toEqual([204, READ]);
      expect(header('access-control-allow-origin')).toBe('*');
      expect(header('access-control-allow-headers')).toBe('*, Authorization');
      expect(header('access-control-max-age')).toBe('86400');
      expect(header('allow')).toBe(all);
    }
  }
  for (const method of WRITES) {
    const { status, header } = await preflight(path, SHOP, method);
    expect([method, status, header('access-control-allow-methods')]).toEqual([method, 204, all]);
    const refused = await preflight(path, STRANGER, method);
    expect([method, refused.status, refused.header('access-control-allow-methods')]).toEqual([method, 403, undefined]);
    // As Chromium sends it.
    const crossSite = { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'cross-site' };
    expect((await preflight(path, STRANGER, method, crossSite)).status).toBe(403);
    expect((await preflight(path, SHOP, method, crossSite)).status).toBe(204);
  }
});

test('OPTIONS that is no preflight says nothing of pages', async () => {
  const { status, header } = await ask('OPTIONS', '/api/coches', { Origin: STRANGER });
  expect([status, header('allow')]).toEqual([204, LIST]);
  for (const name of ['methods', 'headers']) expect(header(`access-control-allow-${name}`)).toBeUndefined();
});

test('a preflight of what there is not is refused', async () => {
  expect((await preflight('/api/nada', SHOP, 'PUT')).status).toBe(404);
});

const answers = [
  ['an item', 'GET', '/api/coches/none', 404],
  ['a list', 'GET', '/api/coches', 200],
  ['the same list, cached by now', 'GET', '/api/coches', 200],
  ['HEAD', 'HEAD', '/api/cars', 200],
  ['the index', 'GET', '/api', 200],
  ['a page', 'GET', '/docs/', 200],
  ['a script', 'GET', '/docs/docs.js', 200],
  ['health', 'GET', '/livez', 200],
  ['no path', 'GET', '/api/nada', 404],
  ['a broken path', 'GET', '/api/%zz', 400],
  ['a write that is refused', 'DELETE', '/api/coches/a', 403],
  ['the server as a whole', 'OPTIONS', '*', 204],
] as const;

test.each(answers)('a page may read the response to %s, which no page can embed', async (_, method, path, expected) => {
  const { status, header } = await ask(method, path, { Origin: STRANGER });
  expect(status).toBe(expected);
  expect(header('access-control-allow-origin')).toBe('*');
  expect(header('access-control-allow-credentials')).toBeUndefined();
  expect(header('access-control-expose-headers')).toBe('*');
  expect(header('x-frame-options')).toBe('DENY');
  expect(header('x-content-type-options')).toBe('nosniff');
  expect(header('content-security-policy')).toMatch(/^default-src 'none'; (?:.*; )?frame-ancestors 'none'$/);
  // By plain HTTP it must not be there.
  expect(header('strict-transport-security')).toBeUndefined();
});

describe.skipIf(!browserPath)('in Chromium, a page of another origin', () => {
  const CAR = { identificador: 'a/1', marca: 'Seat', modelo: 'Ibiza' };
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(['shop.example']);
  });
  afterAll(() => browser.close());

  const selectPage = async (address: string) => {
    const other = createServer((_, response) => response.setHeader('content-type', 'text/html').end());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const page = await browser.newPage();
    await page.goto(`http://shop.example:${port}/`);
    const send = (path: string, init: { method?: string; body?: string; headers?: Record<string, string> } = {}) =>
      page.evaluate(
        async ([target, options]) => {
          const got = await fetch(target, options).catch(() => undefined);
          return {
            status: got?.status ?? 0,
            headers: Object.fromEntries<string | undefined>(got?.headers ?? []),
            text: (await got?.text()) ?? '',
          };
        },
        [address + path, init] as const,
      );
    return { send, origin: `http://shop.example:${port}` };
  };
  const JSON_TYPE = { 'content-type': 'application/json' };
  const create = (origin: string): Promise<Response> =>
    fetch(`${origin}/api/coches`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(CAR) });

  test('reads what programs read, headers too, and writes nothing where it is not listed', async () => {
    const { origin, close } = await openServer();
    onTestFinished(close);
    await create(origin);
    const { send } = await selectPage(origin);
    const item = await send('/api/cars/a%2F1', { headers: { 'X-Request-Id': 'mine', 'If-None-Match': '"x"' } });
    expect([item.status, JSON.parse(item.text)]).toEqual([200, { identifier: 'a/1', brand: 'Seat', model: 'Ibiza' }]);
    for (const name of ['etag', 'link', 'content-language', 'x-request-id']) {
      expect([name, item.headers[name]]).toEqual([name, expect.stringMatching(/./)]);
    }
    const known = await send('/api/cars/a%2F1', { headers: { 'If-None-Match': item.headers.etag ?? '' } });
    expect([known.status, known.headers.etag]).toEqual([304, item.headers.etag]);
    const list = await send('/api/coches?pagina=1');
    expect([list.status, list.headers['x-total-count']]).toEqual([200, '1']);
    expect((await send('/api/coches?page=1')).text).toContain('"suggestion":"pagina"');

    const body = JSON.stringify({ marca: 'Audi', modelo: 'A3' });
    const attempts = [
      { method: 'POST', headers: JSON_TYPE, body },
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body },
    ];
    expect((await send('/api/coches', attempts[0])).status).toBe(0);
    // Needs no preflight, and learns why.
    const refused = await send('/api/coches', attempts[1]);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('CORS_ORIGINS')]);
    for (const method of ['PUT', 'PATCH']) {
      expect((await send('/api/coches/a%2F1', { method, headers: JSON_TYPE, body })).status).toBe(0);
    }
    expect((await send('/api/cars/a%2F1', { method: 'DELETE' })).status).toBe(0);
    expect(await (await fetch(`${origin}/api/coches`)).json()).toEqual([CAR]);
  });

  test('writes where its origin is listed, with conditions and a key', async () => {
    // The page's port is not known yet.
    const { origin } = await serveHere({ CORS_ORIGINS: '*' });
    const { send } = await selectPage(origin);
    const headers = { ...JSON_TYPE, Authorization: 'Bearer x', 'X-API-Key': 'x', 'Idempotency-Key': '"x"' };
    const created = await send('/api/coches', { method: 'POST', headers, body: JSON.stringify(CAR) });
    expect([created.status, created.headers.location]).toEqual([201, '/api/coches/a%2F1']);
    const condition = { ...headers, 'If-Match': created.headers.etag ?? '' };
    const changed = await send('/api/coches/a%2F1', { method: 'PATCH', headers: condition, body: '{"puertas":5}' });
    expect(changed.status).toBe(200);
    expect((await send('/api/coches/a%2F1', { method: 'DELETE', headers: condition })).status).toBe(412);
    expect((await send('/api/cars/a%2F1', { method: 'DELETE' })).status).toBe(204);
  });
});
