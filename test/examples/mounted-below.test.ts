/** The gateway below any path of an app of somebody else: each link there leads to what it names. */
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { expect, test } from 'vitest';
import { mapStore } from '../../examples/mounted/store/map-store.ts';
import en from '../../locales/en.json' with { type: 'json' };
import es from '../../locales/es.json' with { type: 'json' };
import { catalogue } from '../../src/catalogue.ts';
import { bilingual, layered, sentence } from '../../src/gateway/bilingual.ts';

const json = { 'content-type': 'application/json' };
const make = (options: Partial<Parameters<typeof bilingual>[0]> = {}) =>
  bilingual({ catalogue, tables: { en, es }, store: mapStore(catalogue), ...options });

/** What a proxy does that takes a prefix away. */
const stripped = (app: Hono): Hono => {
  const proxy = new Hono();
  proxy.all('/dealer/*', (c) => app.fetch(new Request(c.req.url.replace('/dealer', ''), c.req.raw)));
  return proxy;
};

const mounts: readonly (readonly [how: string, base: string, app: () => Hono])[] = [
  ['route', '/dealer', () => new Hono().route('/dealer', make())],
  ['route twice', '/shop/dealer', () => new Hono().route('/shop', new Hono().route('/dealer', make()))],
  ['basePath', '/v1', () => new Hono().basePath('/v1').route('/', make())],
  ['basePath and route, like one of ours', '/api/dealer', () => new Hono().basePath('/api').route('/dealer', make())],
  ['mount', '/dealer', () => new Hono().mount('/dealer', make({ prefix: '/dealer' }).fetch)],
  ['a proxy', '/dealer', () => stripped(new Hono().route('/', make({ prefix: '/dealer' })))],
  ['a proxy, and route', '/dealer/cars', () => stripped(new Hono().route('/cars', make({ prefix: '/dealer' })))],
  ['the root', '', () => new Hono().route('/', make())],
];

/** @returns every path that a response tells */
const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:"|^<|, <)(\/[^"<>\s{}#]+)/g)].flatMap(([, path = '']) => path);

test.each(mounts)('by %s at %s, every link leads to what it names', async (_, base, start) => {
  const app = start();
  const car = { identificador: 'seat 1', marca: 'Seat', modelo: 'Ibiza' };
  const body = JSON.stringify(car);
  const created = await app.request(`${base}/api/coches`, { method: 'POST', headers: json, body });
  expect([created.status, created.headers.get('location')]).toEqual([201, `${base}/api/coches/seat%201`]);
  expect(created.headers.get('link')).toBe(`<${base}/api/cars/seat%201>; rel="alternate"; hreflang="en"`);
  expect(await (await app.request(`${base}/api/coches/seat%201`)).json()).toEqual(car);
  const other = JSON.stringify({ ...car, identificador: 'seat-2' });
  await app.request(`${base}/api/coches`, { method: 'POST', headers: json, body: other });

  const missing = await (await app.request(`${base}/api/coche`)).json();
  expect(missing).toMatchObject({
    type: `${base}/api/problems/no-such-path`,
    detail: `No hay nada en «${base}/api/coche»; ¿quería decir «${base}/api/coches»?`,
    suggestion: `${base}/api/coches`,
    remedy: `Use la ruta que indica «suggestion»; el índice, «${base}/api», dice dónde está todo.`,
  });

  const told = new Set<string>();
  const page = { accept: 'text/html' };
  for (const [path, headers] of [
    ['/api', {}],
    ['/api', page],
    ['/docs/', page],
    ['/api/cars?number_of_elements=1', {}],
    ['/api/problems', page],
    ['/api/problems/gone', page],
    ['/api/problems', {}],
    ['/api/locales', {}],
  ] as const) {
    const response = await app.request(base + path, { headers });
    expect([path, response.status]).toEqual([path, 200]);
    for (const each of pathsIn(`${response.headers.get('link') ?? ''} ${await response.text()}`)) told.add(each);
  }
  expect(told.size).toBeGreaterThan(60);
  for (const path of told) {
    const decoded = path.replaceAll('&amp;', '&');
    const { status } = await app.request(decoded, { headers: { accept: 'text/html, */*;q=0.8' } });
    // Files are only posted to that of imports.
    const expected = /\/imp\w+\//.test(decoded) ? 405 : 200;
    expect([decoded, status]).toEqual([expect.stringMatching(new RegExp(`^${base}/(?:api|docs)\\b`)), expected]);
  }
  const document = await (await app.request(`${base}/api/openapi.es.json`)).json();
  expect(document).toMatchObject({ paths: { '/api/coches': {} }, ...(base && { servers: [{ url: base }] }) });
  expect(document).not.toHaveProperty(['paths', '/livez']);
});

test('one app has several, each with its own links and items', async () => {
  const app = new Hono().route('/north', make()).route('/south', make());
  const body = JSON.stringify({ identifier: 'a', brand: 'Seat', model: 'Ibiza' });
  const created = await app.request('/north/api/cars', { method: 'POST', headers: json, body });
  expect(created.headers.get('location')).toBe('/north/api/cars/a');
  expect(await (await app.request('/south/api/cars')).json()).toEqual([]);
  const missing = await (await app.request('/south/api/coches/a')).json();
  expect(missing).toMatchObject({ type: '/south/api/problems/not-found', title: 'No encontrado' });
});

test('a path with a parameter is refused, because its links could not be told', async () => {
  const app = new Hono().route('/:shop', make()).onError(({ message }, c) => c.text(message, 500));
  expect(await (await app.request('/x/api/cars')).text()).toBe(
    '/x: the path at which bilingual is mounted has a parameter',
  );
});

test.each([
  ['/dealer/api/coches/1', {}, 'es', 'Falta una clave válida'],
  ['/dealer/api/cars/1', { 'accept-language': 'es' }, 'en', 'A valid key is missing'],
  ['/dealer/api', { 'accept-language': 'es' }, 'es', 'Falta una clave válida'],
  ['/dealer/login', { 'accept-language': 'es-MX' }, 'es', 'Falta una clave válida'],
  ['/dealer/login', {}, 'en', 'A valid key is missing'],
])('the app refuses %s with %j in %s, as the gateway does', async (path, headers, tag, title) => {
  const dealer = make();
  const app = new Hono();
  app.use((c) => dealer.problem(c, 'unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } }));
  app.route('/dealer', dealer);
  const refused = await app.request(path, { headers });
  expect([refused.status, refused.headers.get('content-language')]).toEqual([401, tag]);
  expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  const base = path.includes('/api') ? '/dealer' : '';
  expect(await refused.json()).toMatchObject({ title, type: `${base}/api/problems/unauthorized` });
});

test('the language of a request is known to the app, and a problem may have another sentence', async () => {
  const dealer = make();
  const app = new Hono();
  app.use(async (c, next) => {
    if (c.req.header('x-scope') !== undefined)
      return dealer.problem(c, 'forbidden', { detail: sentence('scope-missing', { scope: 'write' }) });
    await next();
    c.header('X-Tag', dealer.language(c));
    return undefined;
  });
  app.route('/dealer', dealer);
  expect((await app.request('/dealer/api/coches')).headers.get('x-tag')).toBe('es');
  const refused = await app.request('/dealer/api/coches', { headers: { 'x-scope': '' } });
  expect(await refused.json()).toMatchObject({ status: 403, detail: expect.stringContaining('«write»') });
});

test('who may read from other origins is for the app to say, unless it asks for all', async () => {
  const origin = 'https://shop.example';
  const of = async (app: Hono, init: RequestInit = {}) => {
    const { headers } = await app.request('/api/cars', { ...init, headers: { origin } });
    return [...headers.keys()].filter((name) => name.startsWith('access-control-')).map((name) => headers.get(name));
  };
  expect(await of(new Hono().route('/', make()))).toEqual([]);
  expect(await of(new Hono().route('/', make()), { method: 'OPTIONS' })).toEqual([]);
  expect(await of(new Hono().use(cors({ origin })).route('/', make()))).toEqual([origin]);
  expect(await of(new Hono().route('/', make({ cors: true })))).toEqual(['*', '*']);
});

test('end() ends streams of events', async () => {
  const dealer = make();
  const app = new Hono().route('/dealer', dealer);
  const response = await app.request('/dealer/api/events/cars', { headers: { accept: 'text/event-stream' } });
  expect(response.status).toBe(200);
  const whole = response.text();
  dealer.end();
  expect(await whole).toEqual(expect.any(String));
});

test('tables are layered for an app that loads them itself', () => {
  const own = { paths: { cars: 'vehiculos' } };
  expect(layered(es, own)).toMatchObject({ paths: { cars: 'vehiculos', exports: 'exportaciones' } });
});
