import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const { send } = useApp({ given: [['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza' }]] });
const { send: sendToSpain } = useApp({ defaultLanguage: 'es' });

/** `Accept-Language`, and the language of the answer; where it is the default, English or Spanish as it is set. */
const wishes = [
  [undefined, 'default'],
  ['', 'default'],
  ['es', 'es'],
  ['ES', 'es'],
  ['es-MX', 'es'],
  ['es-419', 'es'],
  ['es-x-private', 'es'],
  ['en-GB', 'en'],
  ['fr', 'default'],
  ['fr, es', 'es'],
  ['fr;q=1, de;q=0.9, es-AR;q=0.1, en;q=0.05', 'es'],
  ['en, es', 'en'],
  ['en;q=0.5,es;q=0.8', 'es'],
  ['es;q=0.5, en;q=0.5', 'es'],
  ['en;q=0, es;q=0.1', 'es'],
  ['es;q=0', 'en'],
  ['en;q=0, *', 'es'],
  ['*, EN;q=0.000', 'es'],
  ['fr;q=0, *', 'default'],
  ['en;q=0, es;q=0', 'default'],
  ['*', 'default'],
  ['*;q=0.5, es', 'es'],
  ['esp', 'default'],
  ['es_MX', 'default'],
  ['español', 'default'],
  [';;;,,', 'default'],
  // 35 characters and 36: nobody's language has so long a name.
  ['es-aaaaaaaa-bbbbbbbb-cccccccc-ddddd', 'es'],
  ['es-aaaaaaaa-bbbbbbbb-cccccccc-dddddd', 'default'],
  [`${'-'.repeat(16_300)}, es;q=0.1`, 'es'],
  // RFC 4647 §3.4: a wildcard with ranges after it is skipped.
  ['*, es', 'es'],
  ['*;q=0.8, es;q=0.5', 'es'],
  ['fr, *, en;q=0.1', 'en'],
] as const;

const titles = { es: 'Ruta inexistente', en: 'No such path' } as const;

describe('Accept-Language', () => {
  test.each(wishes)('%s outside the trees', async (wish, expected) => {
    const headers = wish === undefined ? {} : { 'accept-language': Buffer.from(wish).toString('latin1') };
    for (const [ask, fallback] of [[send, 'en'] as const, [sendToSpain, 'es'] as const]) {
      const language = expected === 'default' ? fallback : expected;
      for (const path of ['/api/nada', '/nada']) {
        const { json, headers: sent } = await ask('GET', path, undefined, headers);
        expect([json.title, sent.get('content-language')]).toEqual([titles[language], language]);
        expect(sent.get('vary')).toBe('Accept-Language');
      }
      const explained = await ask('GET', '/api/problems/no-such-path', undefined, headers);
      expect([explained.json.title, explained.headers.get('content-language')]).toEqual([titles[language], language]);
      expect(explained.headers.get('vary')).toBe('Accept, Accept-Language');
    }
  });

  test.each(['en', 'es', 'fr', '*', 'es;q=0, en'])('%s is ignored inside a tree', async (wish) => {
    const headers = { 'accept-language': wish };
    for (const ask of [send, sendToSpain]) {
      for (const path of [
        ...['/api/coches', '/api/coches/missing', '/api/coches/x/nada', '/api/coches?x=1', '/api/coches/%zz'],
      ]) {
        const { headers: sent } = await ask('GET', path, undefined, headers);
        expect([sent.get('content-language'), path]).toEqual(['es', path]);
        expect(sent.get('vary') ?? '').not.toMatch(/accept-language/i);
      }
      const { headers: sent } = await ask('POST', '/api/cars/missing', {}, headers);
      expect(sent.get('content-language')).toBe('en');
    }
  });
});

/** A request whose `lang` asks for another language than its `Accept-Language`, and the language of the answer. */
const chosen = [
  ['/?lang=es', 'en', 'text/html', 200, 'es'],
  ['/api?lang=en', 'es', '*/*', 200, 'en'],
  ['/livez?lang=es', 'en', '*/*', 200, 'es'],
  ['/?lang=es&x=1', 'en', '*/*', 400, 'es'],
  ['/?lang=es&lang=en', 'en', '*/*', 400, 'es'],
  ['/docs/?lang=es', 'en', 'application/json', 406, 'es'],
  ['/api/openapi.json?lang=es', 'en', '*/*', 400, 'es'],
  ['/api/problems/internal?lang=es', 'en', 'text/html', 200, 'es'],
  ['/api/problems?lang=en', 'es', '*/*', 200, 'en'],
  ['/api/problems/none?lang=es', 'en', 'text/html', 404, 'es'],
  ['/api/problems/internal?lang=es', 'en', 'text/css', 406, 'es'],
  ['/api/locales?lang=en', 'es', '*/*', 400, 'en'],
  ['/nada?lang=es', 'en', '*/*', 404, 'es'],
  ['/api/%zz?lang=es', 'en', '*/*', 400, 'es'],
  ['/?lang=xx', 'es', '*/*', 400, 'es'],
  ['/?lang=%zz', 'es', '*/*', 400, 'es'],
  ['/?slang=en', 'es', '*/*', 400, 'es'],
  ['/api/cars?lang=es', 'es', '*/*', 400, 'en'],
  ['/api/coches/none?lang=en', 'en', '*/*', 400, 'es'],
] as const;

test.each(chosen)(
  '%s with Accept-Language %s and Accept %s is %i in %s',
  async (path, wish, accept, status, language) => {
    const { status: given, headers } = await send('GET', path, undefined, { 'accept-language': wish, accept });
    expect([given, headers.get('content-language')]).toEqual([status, language]);
  },
);

test.each(['/livez', '/readyz', '/livez/?x=1'])('%s is had by any Accept, and is never stored', async (path) => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await send(method, path, undefined, { accept: 'image/png' });
    expect([status, headers.get('vary'), headers.get('cache-control')]).toEqual([200, 'Accept-Language', 'no-store']);
  }
});

describe('X-Request-Id', () => {
  test.each(['a', 'A.b_c-9', 'x'.repeat(64), '-', '.'])('%s is taken over', async (id) => {
    for (const path of ['/api/cars', '/api/cars/missing', '/nada', '/livez']) {
      const { headers, json } = await send('GET', path, undefined, { 'x-request-id': id });
      expect(headers.get('x-request-id')).toBe(id);
      if (json.code !== undefined) expect(json.requestId).toBe(id);
    }
  });

  test.each(['', 'x'.repeat(65), 'a b', 'a,b', 'ñ', 'a/b', '<x>', '"x"', 'a:b'])('%j is replaced', async (id) => {
    const { headers, json } = await send('GET', '/api/coches/missing', undefined, { 'x-request-id': id });
    expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{21}$/);
    expect(json.requestId).toBe(headers.get('x-request-id'));
  });

  test('is new for each answer, whatever it is', async () => {
    const ids = await Promise.all(
      [
        ['GET', '/api/cars'],
        ['HEAD', '/api/cars'],
        ['GET', '/api/cars/a-1'],
        ['HEAD', '/api/coches/a-1'],
        ['OPTIONS', '/api/cars'],
        ['DELETE', '/api/cars/a-1/oils/none'],
        ['PATCH', '/api/cars'],
        ['GET', '/livez'],
        ['GET', '/api/%zz'],
      ].map(async ([method = '', path = '']) => (await send(method, path)).headers.get('x-request-id')),
    );
    expect(ids.every((id) => id !== null && /^[A-Za-z0-9_-]{21}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
