import { describe, expect, onTestFinished, test } from 'vitest';
import { openApp, type TestResponse, useApp } from '../../support/app/app.ts';

import { editedLocales } from '../../support/language/locale-folder.ts';

const { send, request } = useApp({
  given: [
    ['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza' }],
    ['/api/cars/a-1/oils', { type: '5W-30' }],
  ],
});

const paths = ['/', '/api', '/api/'] as const;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** A page as a browser gets it. */
const pageAt = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await request(path, { headers: { accept: BROWSER, ...headers } });
  return { answer, text: await answer.text() };
};

test.each(paths)('%s tells a program in Spanish what there is and where', async (path) => {
  const { status, json, headers } = await send('GET', path, undefined, { 'accept-language': 'es-MX, en;q=0.5' });
  expect([status, headers.get('content-type'), headers.get('content-language')]).toEqual([
    200,
    'application/json',
    'es',
  ]);
  expect(headers.get('vary')).toBe('Accept, Accept-Language');
  expect(json).toEqual({
    title: 'Catálogo del concesionario',
    description: expect.stringContaining('API REST'),
    totals: { cars: 1 },
    hooks: 0,
    openapi: '/api/openapi.json',
    documentation: '/docs/',
    dictionaries: '/api/locales',
    languages: [
      {
        tag: 'en',
        name: 'English',
        collections: { cars: '/api/cars' },
        imports: { cars: '/api/imports/cars' },
        openapi: '/api/openapi.en.json',
        dictionary: '/api/locales/en',
        documentation: '/docs/?lang=en',
      },
      {
        tag: 'es',
        name: 'español',
        collections: { cars: '/api/coches' },
        imports: { cars: '/api/importaciones/coches' },
        openapi: '/api/openapi.es.json',
        dictionary: '/api/locales/es',
        documentation: '/docs/?lang=es',
      },
    ],
  });
});

/** `Accept`, and what is sent. */
const wishes = [
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['text/html', 'text/html; charset=utf-8'],
  [BROWSER, 'text/html; charset=utf-8'],
  ['text/html;q=0.9, application/json;q=0.8', 'text/html; charset=utf-8'],
  ['text/html;q=0.8, application/json;q=0.9', 'application/json'],
] as const;

test.each(wishes)('Accept: %s is answered as %s', async (accept, type) => {
  const headers = accept === undefined ? {} : { accept };
  const answer = await request('/api', { headers });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  const head = await request('/api', { method: 'HEAD', headers });
  const { length } = Buffer.from(await answer.arrayBuffer());
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(length)]);
});

test.each(['text/csv', 'application/xml', 'application/json;q=0, text/html;q=0', 'image/*'])(
  'Accept: %s cannot be met',
  async (accept) => {
    const { status, json, headers } = await send('GET', '/api', undefined, { accept, 'accept-language': 'es' });
    expect([status, json.code, headers.get('content-language')]).toEqual([406, 'not-acceptable', 'es']);
    expect(json.detail).toBe('La respuesta solo se puede enviar como application/json, text/html.');
    expect(json.errors[0].header).toBe('Accept');
  },
);

const linksOf = ({ headers }: Pick<TestResponse, 'headers'>): readonly string[] =>
  (headers.get('link') ?? '').split(', ');

test('links documents, documentation, health and the other language, where programs look for them', async () => {
  expect(linksOf(await send('GET', '/api', undefined, { 'accept-language': 'es' }))).toEqual([
    '</api/openapi.es.json>; rel="service-desc"; type="application/json"; hreflang="es"',
    '</docs/?lang=es>; rel="service-doc"; type="text/html"; hreflang="es"',
    '</api/openapi.en.json>; rel="service-desc"; type="application/json"; hreflang="en"',
    '</docs/?lang=en>; rel="service-doc"; type="text/html"; hreflang="en"',
    '</readyz>; rel="status"',
    '</api?lang=en>; rel="alternate"; hreflang="en"',
  ]);
  expect(linksOf(await send('GET', '/')).at(-1)).toBe('</?lang=es>; rel="alternate"; hreflang="es"');
  expect(linksOf((await pageAt('/')).answer)).toHaveLength(6);
});

describe('?lang=', () => {
  test.each(['en', 'es', 'fr'])('chooses whatever Accept-Language says: %s', async (wish) => {
    for (const lang of ['es', 'ES', 'es-MX']) {
      const { json, headers } = await send('GET', `/api?lang=${lang}`, undefined, { 'accept-language': wish });
      expect([json.title, headers.get('content-language')]).toEqual(['Catálogo del concesionario', 'es']);
      const { text } = await pageAt(`/?lang=${lang}`, { 'accept-language': wish });
      expect(text).toContain('<h1>Catálogo del concesionario</h1>');
    }
  });

  const faults = [
    ['lang=fr', 'invalid-parameter', '«fr» no es un idioma del servicio; los disponibles son: en, es.', undefined],
    ['lang=', 'invalid-parameter', '«lang» no puede estar vacío.', undefined],
    ['lang=es&lang=en', 'invalid-parameter', '«lang» solo puede aparecer una vez.', undefined],
    ['lan=es', 'unknown-parameter', '«lan» no es un parámetro de esta URL; ¿quería decir «lang»?', 'lang'],
    [
      'marca=Seat',
      'unknown-parameter',
      '«marca» no es un parámetro de esta URL; los disponibles son: lang.',
      undefined,
    ],
    ['lang=%zz', 'invalid-parameter', expect.stringContaining('revise las secuencias «%XX»'), undefined],
  ] as const;
  test.each(faults)('%s is refused', async (query, code, detail, suggestion) => {
    // The page at the root takes the parameters of its list.
    for (const path of code === 'unknown-parameter' ? ['/docs/'] : [...paths, '/docs/']) {
      const headers = { 'accept-language': 'es', accept: 'text/html, */*;q=0.5' };
      const { status, json } = await send('GET', `${path}?${query}`, undefined, headers);
      expect([status, json.code, json.detail, json.errors[0].suggestion]).toEqual([400, code, detail, suggestion]);
    }
  });

  test('several faults are told together', async () => {
    const { json } = await send('GET', '/api?lang=fr&x=1&y=2');
    expect([json.code, json.errors.length]).toEqual(['invalid-query', 3]);
  });
});

describe('what is known already', () => {
  test('is not sent again', async () => {
    for (const [path, accept] of [
      ['/api', '*/*'],
      ['/', BROWSER],
      ['/docs/', BROWSER],
      ['/docs/style.css', '*/*'],
      ['/docs/swagger-ui-bundle.js', '*/*'],
      ['/api/locales', '*/*'],
      ['/api/locales/es', '*/*'],
    ] as const) {
      const first = await request(path, { headers: { accept } });
      const tag = first.headers.get('etag') ?? '';
      expect(tag).toMatch(/^"[\da-z]{14}"$/);
      for (const sent of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        const again = await request(path, { headers: { accept, 'if-none-match': sent } });
        expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
        expect(again.headers.get('vary')).toBe(first.headers.get('vary'));
        expect([again.headers.get('content-language'), again.headers.get('content-type')]).toEqual([null, null]);
      }
      expect((await request(path, { headers: { accept, 'if-none-match': '"x"' } })).status).toBe(200);
      expect((await request(path, { headers: { accept, 'if-match': tag } })).status).toBe(200);
      expect((await request(path, { headers: { accept, 'if-match': '"x"' } })).status).toBe(412);
    }
  });

  test('is another in each language and each form, and when a car has come', async () => {
    const tagAt = async (path: string, accept = '*/*') =>
      (await send('HEAD', path, undefined, { accept })).headers.get('etag');
    const before = [await tagAt('/api?lang=es'), await tagAt('/api?lang=en'), await tagAt('/api', 'text/html')];
    expect(new Set(before).size).toBe(3);
    await send('POST', '/api/coches', { marca: 'Seat', modelo: 'León' });
    expect(before).not.toContain(await tagAt('/api?lang=es'));
    expect((await send('GET', '/api')).json.totals).toEqual({ cars: 2 });
  });
});

test('numbers are written as the language writes them', async () => {
  const { request, close: closeBare } = await openApp({ spoil: () => ({ countRows: () => 33_442 }) });
  for (const [lang, total] of [
    ['es', '33\u00a0442 coches'],
    ['en', '33,442 cars'],
  ]) {
    const page = await request(`/?lang=${lang}`, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain(total);
  }
  await closeBare();
});

test('a table’s words cannot become markup', async () => {
  const locales = editedLocales(({ subject }) => {
    subject.title = '<b>"A" & \'B\'</b>';
  });
  const { app, close: closeApp } = await openApp({ locales });
  onTestFinished(closeApp);
  for (const path of ['/', '/docs/']) {
    const text = await (await app.request(path, { headers: { accept: 'text/html' } })).text();
    expect(text).not.toContain('<b>');
    expect(text).toContain('&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;');
  }
});

test('the page at the root has the cars, and leads to the lists and documents of every language', async () => {
  const { text } = await pageAt('/?lang=es');
  expect(/<h1>(.*)<\/h1>/.exec(text)?.[1]).toBe('Catálogo del concesionario');
  expect(/<h2 id="browse-heading">(.*)<\/h2>/.exec(text)?.[1]).toBe('Los coches');
  expect(text).toMatch(/^<!doctype html>\n<html lang="es" dir="ltr">/);
  for (const url of [
    ...['/api/cars?number_of_elements=10', '/api/coches?numero_de_elementos=10', '/docs/?lang=en', '/docs/?lang=es'],
    ...['/api/openapi.en.json', '/api/openapi.es.json', '/api/locales/en', '/api/locales/es', '/readyz'],
    '/api/problems?lang=es',
  ])
    expect(text).toContain(`href="${url}"`);
});
