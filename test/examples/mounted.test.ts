/** The gateway in an app of somebody else. */
import { join } from 'node:path';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { app } from '../../examples/mounted/app.ts';
import { mapStore } from '../../examples/mounted/store/map-store.ts';
import en from '../../locales/en.json' with { type: 'json' };
import es from '../../locales/es.json' with { type: 'json' };
import messages from '../../locales/messages/es.json' with { type: 'json' };
import { catalogue } from '../../src/catalogue.ts';
import { bilingual } from '../../src/gateway/bilingual.ts';
import { collection, defineCatalogue } from '../../src/gateway/model/catalogue.ts';
import { key, text } from '../../src/gateway/model/fields.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import { launch, project } from '../support/process/service.ts';

const json = { 'content-type': 'application/json' };

test('an app has both trees beside a route of its own', async () => {
  await app.request('/api/cars/seat-1', { method: 'DELETE' });
  const created = await app.request('/api/coches', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ identificador: 'seat-1', marca: 'Seat', modelo: 'Ibiza', anio: 2008 }),
  });
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBe('/api/coches/seat-1');

  const found = await app.request('/api/cars?brand=SEAT&sort_by=year&order=desc');
  expect(found.status).toBe(200);
  expect(await found.json()).toEqual([{ identifier: 'seat-1', brand: 'Seat', model: 'Ibiza', year: 2008 }]);
  expect(await (await app.request('/stock')).text()).toBe('1 cars');
  expect(await (await app.request('/opening-hours')).json()).toEqual({ open: '09:00', close: '20:00' });
});

test.each([
  ['/api/coche', 404, 'es', '/api/coches'],
  ['/api/cars/none', 404, 'en', 'none'],
  ['/api/coches?tapiceria=roja', 400, 'es', 'tapiceria'],
  ['/api/coches/', 200, 'es', ''],
  ['/api', 200, 'en', 'openapi'],
  ['/api/openapi.es.json', 200, 'es', '/api/coches'],
  ['/docs/', 200, 'en', '<html'],
])('GET %s is answered by the gateway: %s, in %s', async (path, status, language, part) => {
  const response = await app.request(path);
  expect([response.status, response.headers.get('content-language')]).toEqual([status, language]);
  expect(await response.text()).toContain(part);
});

test('a second one below a path is refused and served in the language of the client', async () => {
  const body = JSON.stringify({ identificador: 'a', marca: 'Seat', modelo: 'Ibiza' });
  const refused = await app.request('/staff/api/coches', { method: 'POST', headers: json, body });
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({
    type: '/staff/api/problems/unauthorized',
    title: 'Falta una clave válida',
  });
  const headers = { ...json, authorization: 'Bearer open-sesame' };
  const created = await app.request('/staff/api/coches', { method: 'POST', headers, body });
  expect([created.status, created.headers.get('location')]).toEqual([201, '/staff/api/coches/a']);
});

test('an error in the code of the app is the app’s', async () => {
  const failing = new Hono();
  failing.get('/fails', () => {
    throw new Error('of the app');
  });
  failing.onError((error, c) => c.text(error.message, 418));
  failing.route('/', bilingual({ catalogue, tables: { es, en }, store: await openSqlite(':memory:', catalogue) }));
  expect((await failing.request('/fails')).status).toBe(418);
  const refused = await failing.request('/api/coches', { method: 'POST', headers: json, body: '{' });
  expect(await refused.json()).toMatchObject({ status: 400, code: 'malformed-json' });
  // The first table is that of the default language.
  expect((await failing.request('/api')).headers.get('content-language')).toBe('es');
});

describe('a key of idempotency in an app with a log-in of its own', () => {
  type Users = { Variables: { user: string } };
  /** Ana and Berta log in by the host's own means, which the gateway knows nothing of. */
  const hostWith = (options: Pick<Parameters<typeof bilingual>[0], 'clientIdOf'>) => {
    const host = new Hono<Users>();
    host.use(async (c, next) => {
      c.set('user', c.req.header('x-user') ?? '');
      await next();
    });
    host.route('/', bilingual({ catalogue, tables: { en, es }, store: mapStore(catalogue), ...options }));
    return async (path: string, model: string, headers: Readonly<Record<string, string>>) => {
      const body = path === '/api/cars' ? { brand: 'Seat', model } : { marca: 'Seat', modelo: model };
      const sent = { ...json, 'idempotency-key': 'k1', ...headers };
      const response = await host.request(path, { method: 'POST', headers: sent, body: JSON.stringify(body) });
      const { model: inEnglish, modelo = inEnglish, code, errors } = JSON.parse(await response.text());
      return [
        response.status,
        modelo ?? code,
        response.headers.get('idempotency-replayed') ?? errors?.[0]?.detail ?? '',
      ];
    };
  };

  test('counts for the client whom the app names by its own context', async () => {
    const post = hostWith({ clientIdOf: (c) => c.get('user') });
    expect(await post('/api/cars', 'Ibiza', { 'x-user': 'ana' })).toEqual([201, 'Ibiza', '']);
    expect(await post('/api/cars', 'León', { 'x-user': 'berta' })).toEqual([201, 'León', '']);
    expect(await post('/api/coches', 'Ibiza', { 'x-user': 'ana' })).toEqual([201, 'Ibiza', 'true']);
    expect(await post('/api/coches', 'León', { 'x-user': 'berta' })).toEqual([201, 'León', 'true']);
  });

  test.each([
    ['authorization', 'Bearer a', 'Bearer b'],
    ['cookie', 'session=a', 'session=b'],
  ])('counts for each %s, where the app names nobody', async (header, one, other) => {
    const post = hostWith({});
    expect(await post('/api/cars', 'Ibiza', { [header]: one })).toEqual([201, 'Ibiza', '']);
    expect(await post('/api/cars', 'León', { [header]: other })).toEqual([201, 'León', '']);
    expect(await post('/api/coches', 'Ibiza', { [header]: one })).toEqual([201, 'Ibiza', 'true']);
    expect(await post('/api/cars', 'León', { authorization: 'x', cookie: 'y' })).toEqual([201, 'León', '']);
    expect(await post('/api/cars', 'Ibiza', { authorization: 'x', cookie: 'z' })).toEqual([201, 'Ibiza', '']);
  });

  test('is refused where nobody could tell whose it is', async () => {
    const post = hostWith({});
    expect(await post('/api/cars', 'Ibiza', {})).toEqual([
      400,
      'invalid-header',
      '“Idempotency-Key” needs to know whose key it is: send “Authorization” or a cookie, too.',
    ]);
    expect(await post('/api/coches', 'Ibiza', {})).toEqual([
      400,
      'invalid-header',
      '«Idempotency-Key» necesita saber de quién es la clave: envíe también «Authorization» o una cookie.',
    ]);
  });
});

describe('pages of the store over a Map', () => {
  const LONG = 'ñ😀'.repeat(60);
  const cars = Array.from({ length: 11 }, (_, at) => ({
    identifier: `k${at}`,
    brand: ['Seat', 'SEAT', 'Audi'][at % 3],
    model: `M${at % 2}`,
    ...(at % 4 === 0 ? {} : { year: 2000 + (at % 3) }),
    ...(at % 5 === 0 ? {} : { version: `${LONG}${at % 4}` }),
  }));
  const keysIn = async (response: Response): Promise<readonly string[]> =>
    ((await response.json()) as readonly { identifier: string }[]).map(({ identifier }) => identifier);

  test.each([
    '',
    '&order=desc',
    '&sort_by=year',
    '&sort_by=year&order=desc',
    '&sort_by=brand,year&order=desc,asc',
    '&sort_by=version&order=desc',
    '&search=seat',
    '&brand=seat&sort_by=version',
  ])('that follow each other by “Link” have each item once, in order: %s', async (query) => {
    const garage = bilingual({ catalogue, tables: { en, es }, store: mapStore(catalogue) });
    for (const car of cars)
      await garage.request('/api/cars', { method: 'POST', headers: json, body: JSON.stringify(car) });
    const whole = await keysIn(await garage.request(`/api/cars?${query.slice(1)}`));
    const walked: string[] = [];
    for (let next = `/api/cars?number_of_elements=2${query}`; next !== ''; ) {
      const page = await garage.request(next);
      const keys = await keysIn(page);
      walked.push(...keys);
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
      // The end of a page need not be there any more, but where its long text is looked up.
      if (!query.includes('version')) await garage.request(`/api/cars/${keys.at(-1)}`, { method: 'DELETE' });
    }
    expect(walked).toEqual(whole);
  });
});

test('a list across parents is refused by the store over a Map when it is made', () => {
  const shop = defineCatalogue(
    collection('books', { isbn: key() }, collection({ name: 'copies', alsoTopLevel: true }, { number: key() })),
  );
  expect(() => mapStore(shop)).toThrow('copies is listed across its parents, which mapStore cannot do');
});

test('a table with a fault is refused with its name', () => {
  const { paths, ...rest } = es;
  const open = () => bilingual({ catalogue, tables: { en, es: { ...rest, path: paths } }, store: mapStore(catalogue) });
  expect(open).toThrow(/^es: .*path/m);
});

test('words alone are enough: the package has the sentences of English and Spanish', async () => {
  const garage = bilingual({ catalogue, tables: { en, es }, store: mapStore(catalogue) });
  expect(await (await garage.request('/api/coches/none')).json()).toMatchObject({ title: 'No encontrado' });
});

test('a whole table in one object needs nothing of the package', async () => {
  const whole = { ...messages, ...es };
  const garage = bilingual({ catalogue, tables: { 'es-MX': whole }, store: mapStore(catalogue) });
  expect(await (await garage.request('/api/coches/none')).json()).toMatchObject({ title: 'No encontrado' });
});

describe('another catalogue', () => {
  const books = defineCatalogue(collection('books', { isbn: key(), title: text({ max: 200 }) }));
  const tables = { es: { paths: { books: 'libros' }, fields: { books: { isbn: 'isbn', title: 'titulo' } } } };
  const own = {
    nouns: { books: { the: 'el libro', of: 'del libro' } },
    subject: { title: 'Libros', summary: 'Los libros de una tienda.' },
    pages: { totals: { books: { one: '{count} libro', many: '{count} de libros', other: '{count} libros' } } },
    descriptions: { collections: { books: { name: 'Libros', schema: 'Libro' } } },
  };

  test('says what is about it, and the package the rest', async () => {
    const shop = bilingual({ catalogue: books, tables, messages: { es: own }, store: mapStore(books) });
    const created = await shop.request('/api/libros', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ isbn: '1', titulo: 'Niebla' }),
    });
    expect(created.status).toBe(201);
    expect(await (await shop.request('/api/libros?ordenar_por=titulo')).json()).toEqual([
      { isbn: '1', titulo: 'Niebla' },
    ]);
    const missing = await (await shop.request('/api/libros/2')).json();
    expect(missing).toMatchObject({ title: 'No encontrado', detail: expect.stringContaining('el libro') });
    const { paths } = (await (await shop.request('/api/openapi.es.json')).json()) as {
      paths: Record<string, { get: object }>;
    };
    expect(paths['/api/libros']?.get).toMatchObject({ summary: 'Libros: lista' });
  });

  test('without its sentences is refused with what is missing, and where', () => {
    const { nouns: _, ...rest } = own;
    const open = () => bilingual({ catalogue: books, tables, messages: { es: rest }, store: mapStore(books) });
    expect(open).toThrow(expect.objectContaining({ faults: ['messages.es: nouns: missing'] }));
  });

  test('in a language that the package does not have needs all words, and its sentences about the catalogue', () => {
    const open = () => bilingual({ catalogue: books, tables: { de: tables.es }, store: mapStore(books) });
    expect(open).toThrow(/^messages\.de: nouns: missing$/m);
    expect(open).toThrow(/^de: parameters: missing$/m);
  });
});

test('on Node', async () => {
  const { wrote } = launch({ args: [join(project, 'examples/mounted/main.ts')] });
  const [origin] = await wrote(/http:\/\/[\d.:]+/);
  const file = await fetch(`${origin}/api/coches`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: 'identificador;marca;modelo\na;Seat;Ibiza\nb;Citroën;C4\n',
  });
  expect(await file.json()).toMatchObject({ creados: 2 });
  expect(await (await fetch(`${origin}/api/cars?search=citroen&fields=brand`)).json()).toEqual([
    { identifier: 'b', brand: 'Citroën' },
  ]);
  expect(await (await fetch(`${origin}/stock`)).text()).toBe('2 cars');
});

test('what the gateway does not have is left to the app', async () => {
  expect((await app.request('/nothing')).status).toBe(404);
  expect(await (await app.request('/nothing')).text()).toBe('404 Not Found');
});
