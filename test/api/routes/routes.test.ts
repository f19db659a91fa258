import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'x', brand: 'Seat', model: 'Ibiza' }],
    ['/api/cars/x/oils', { type: 'y' }],
  ],
});

const list = 'GET, HEAD, POST, OPTIONS';
const item = 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS';
const read = 'GET, HEAD, OPTIONS';

/** Each resource, and what can be done with it. */
const resources = [
  ['/api/cars', list],
  ['/api/cars/x', item],
  ['/api/coches/x/aceites', list],
  ['/api/coches/x/aceites/y', item],
  ['/api/cars/missing/oils/missing', item],
  ['/api/problems', read],
  ['/api/problems/not-found', read],
  ['/api/openapi.json', read],
  ['/api/openapi.es.json', read],
  ['/', read],
  ['/api', read],
  ['/api/locales', read],
  ['/api/locales/es', read],
  ['/docs', read],
  ['/docs/style.css', read],
  ['/docs/swagger-ui-bundle.js', read],
  ['/livez', read],
  ['/readyz', read],
] as const;

const sorted = (allow: string | null): readonly string[] => (allow ?? '').split(', ').sort();
const slashes = ['', '/'] as const;

describe.each(resources)('%s', (path, allow) => {
  test('tells with OPTIONS what it can do', async () => {
    for (const slash of slashes) {
      const { status, text, headers } = await send('OPTIONS', path + slash);
      expect([status, text]).toEqual([204, '']);
      expect(sorted(headers.get('allow'))).toEqual(sorted(allow));
      expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
      const patch = 'application/merge-patch+json, application/json';
      expect(headers.get('accept-patch')).toBe(allow === item ? patch : null);
    }
  });

  const others = ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'PURGE'].filter(
    (method) => !sorted(allow).includes(method),
  );
  test.each(others)('refuses %s', async (method) => {
    for (const slash of slashes) {
      const { status, json, headers } = await send(method, path + slash);
      expect([status, json.code]).toEqual([405, 'method-not-allowed']);
      expect(sorted(headers.get('allow'))).toEqual(sorted(allow));
    }
  });
});

const LONG = 'x'.repeat(129);

/** Where nothing can ever be. */
const impossible = [
  ['/api/problems/none', 'not-found'],
  ['/api/locales/xx', 'not-found'],
  ['/api/openapi.xx.json', 'no-such-path'],
  ['/docs/none.css', 'no-such-path'],
  ['/api/coches/x/oils', 'no-such-path'],
  ['/api/cars/%zz', 'malformed-path'],
  ['/api/cars/a%00', 'malformed-path'],
  ['/api/cars/a%0ab', 'not-found'],
  [`/api/coches/${LONG}`, 'not-found'],
  [`/api/coches/${LONG}/aceites`, 'not-found'],
  [`/api/cars/x/oils/${LONG}`, 'not-found'],
  [`/api/cars/${LONG}/oils/${LONG}`, 'not-found'],
] as const;

test.each(impossible)('OPTIONS of %s is what GET is', async (path, code) => {
  for (const slash of slashes) {
    const headers = { 'x-request-id': 'same' };
    const read = await send('GET', path + slash, undefined, headers);
    const asked = await send('OPTIONS', path + slash, undefined, headers);
    expect(read.json.code).toBe(code);
    expect([asked.status, asked.json]).toEqual([read.status, read.json]);
    expect(asked.headers.get('allow')).toBeNull();
  }
});

test.each(['/api/cars', '/api/coches', '/api/cars/x', '/api/coches/x/aceites', '/api/cars/x/oils/y'])(
  '%s answers alike with and without a slash at the end',
  async (path) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PATCH']) {
      const [bare, slashed] = await Promise.all(
        slashes.map((slash) => send(method, path + slash, undefined, { 'x-request-id': 'same' })),
      );
      expect([slashed?.status, slashed?.text]).toEqual([bare?.status, bare?.text]);
      expect([...(slashed?.headers ?? [])]).toEqual([...(bare?.headers ?? [])]);
    }
  },
);

/** Paths that lead nowhere inside a tree, its language, and the right path where one is likely. */
const inTrees = [
  ['/api/coches/x/oils', 'es', '/api/coches/x/aceites'],
  ['/api/coches/x/oils/y', 'es', '/api/coches/x/aceites/y'],
  ['/api/cars/x/aceites', 'en', '/api/cars/x/oils'],
  ['/api/cars/x/aceites/10W%2F40', 'en', '/api/cars/x/oils/10W%2F40'],
  ['/api/coches/a%20%C3%B1/oils/5W-30/', 'es', '/api/coches/a%20%C3%B1/aceites/5W-30'],
  ['/api/coches/x/nada', 'es', undefined],
  ['/api/coches/x/aceites/y/z', 'es', undefined],
  ['/api/coches/x/oils/y/z', 'es', undefined],
  ['/api/cars/x/cars', 'en', undefined],
  ['/api/cars//oils', 'en', undefined],
  ['/api/cars//', 'en', undefined],
] as const;

test.each(inTrees)('%s is no path, in the tree’s own language', async (path, language, suggestion) => {
  const { status, headers, json } = await send('GET', path, undefined, { 'accept-language': 'fr, de' });
  expect([status, json.code, json.suggestion]).toEqual([404, 'no-such-path', suggestion]);
  expect(headers.get('content-language')).toBe(language);
  expect(json.title).toBe(language === 'es' ? 'Ruta inexistente' : 'No such path');
  if (suggestion !== undefined) expect(json.detail).toContain(suggestion);
});

/** Paths outside every tree: the right path where one is likely, and the language for clients that ask for none. */
const outside = [
  ['/docs/swagger-ui.js', '/docs/', 'en'],
  ['/coches', '/api/coches', 'es'],
  ['/API/cars', '/api/cars', 'en'],
  ['/api/nada', '/api', 'en'],
  ['/api/problem', '/api/problems', 'en'],
  ['/api/COCHES/x', '/api/coches/x', 'es'],
  ['/api/coche/x/aceites', '/api/coches/x/aceites', 'es'],
] as const;

const TITLES = { en: 'No such path', es: 'Ruta inexistente' } as const;

test.each(outside)(
  '%s is no path, in the language that the client or else the right path speaks',
  async (path, suggestion, own) => {
    for (const [wanted, language] of [
      ['es-MX', 'es'],
      ['en', 'en'],
      ['fr', own],
      ['', own],
    ] as const) {
      const { status, headers, json } = await send('GET', path, undefined, { 'accept-language': wanted });
      expect([status, json.code, json.title, json.suggestion]).toEqual([
        404,
        'no-such-path',
        TITLES[language],
        suggestion,
      ]);
      expect(headers.get('content-language')).toBe(language);
      expect(headers.get('vary')).toMatch(/\bAccept-Language\b/);
    }
  },
);

const target = (length: number): string => `/api/coches?marca=${'x'.repeat(length - '/api/coches?marca='.length)}`;

test('a URL may be 8 KiB long, and not a byte longer', async () => {
  expect((await send('GET', target(8_192))).status).toBe(200);
  const { status, json, headers } = await send('GET', target(8_193));
  expect([status, json.code, headers.get('content-language')]).toEqual([414, 'uri-too-long', 'es']);
  expect(json.detail).toBe('La URL no puede ocupar más de 8 KiB.');
  const { json: neutral, headers: sent } = await send('GET', `/${'x'.repeat(8_192)}`);
  expect([neutral.detail, sent.get('vary')]).toEqual(['The URL must not be longer than 8 KiB.', 'Accept-Language']);
});

test('nothing is ever a redirect', async () => {
  for (const [path] of [...resources, ...inTrees, ...outside]) {
    const { status, headers } = await send('GET', path);
    expect([status >= 300 && status < 400, headers.get('location')]).toEqual([false, null]);
  }
});
