import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp, type Send, type TestResponse } from '../../support/app/app.ts';
import { readDictionaries, type Spoken, translatorBetween } from '../../support/language/dictionary-client.ts';
import { allTags, folderWith } from '../../support/language/new-languages.ts';

const locales = folderWith(...allTags);

/** Two services that are sent the same, each in its own language. */
let english: Send;
let other: Send;
let dictionaries: Awaited<ReturnType<typeof readDictionaries>>;
let close: () => Promise<unknown>;

beforeAll(async () => {
  const [one, two] = await Promise.all([openApp({ locales }), openApp({ locales })]);
  english = one.send;
  other = two.send;
  dictionaries = await readDictionaries(two.send);
  close = () => Promise.all([one.close(), two.close()]);
  for (const request of garage) {
    expect((await say(english, request)).status).toBe(201);
    expect((await say(other, request)).status).toBe(201);
  }
});
afterAll(async () => {
  await close();
  rmSync(locales, { recursive: true });
});

const say = (send: Send, { method, path, query, body }: Spoken): Promise<TestResponse> => {
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return send(method, search === '' ? path : `${path}?${search}`, body);
};

const dictionary = (tag: string) => {
  const found = dictionaries.find((each) => each.tag === tag);
  if (!found) throw new TypeError(`no dictionary for ${tag}`);
  return found;
};

/** Sends a request as it is, and translated; the answers must be equal but for the language. */
const compare = async (tag: string, request: Spoken): Promise<TestResponse> => {
  const there = translatorBetween(dictionary('en'), dictionary(tag));
  const back = translatorBetween(dictionary(tag), dictionary('en'));
  const translated = there.request(request);
  expect(back.request(translated)).toEqual(request);

  const [here, abroad] = [await say(english, request), await say(other, translated)];
  expect([abroad.status, abroad.json?.code]).toEqual([here.status, here.json?.code]);
  expect(abroad.headers.get('content-language')).toBe(abroad.status === 204 ? null : tag);
  expect(abroad.headers.get('x-total-count')).toBe(here.headers.get('x-total-count'));
  if (here.status < 300) expect(back.content(translated.path, abroad.json)).toEqual(here.json);
  const location = abroad.headers.get('location');
  expect(location && back.path(location)).toBe(here.headers.get('location'));
  return abroad;
};

const post = (path: string, body: object): Spoken => ({ method: 'POST', path, query: [], body });
const read = (path: string, ...query: Spoken['query']): Spoken => ({ method: 'GET', path, query });

const garage = [
  ...['Seat', 'SEAT', 'Citroën', 'Ávila', 'BMW'].flatMap((brand, at) =>
    [0, 1, 2, 3].map((step) =>
      post('/api/cars', {
        identifier: `k/${at}-${step}`,
        brand,
        model: `M${step}`,
        ...(step === 0 ? {} : { year: 2000 + at }),
        ...(at === 2 ? {} : { enginePower: 60 + 10 * step, clima: step > 1 }),
      }),
    ),
  ),
  post('/api/cars/k%2F0-0/oils', { type: '10W/40', otherInfo: 'Repsol' }),
  post('/api/cars/k%2F0-0/oils', { type: '5W-30' }),
];

describe.each(allTags)('a client that knows dictionaries only speaks %s as it speaks English', (tag) => {
  const steps: readonly (readonly [what: string, request: Spoken, status: number])[] = [
    ['creates a car', post('/api/cars', { identifier: `new ${tag}`, brand: 'Seat', model: 'León', year: 2008 }), 201],
    ['reads it', read(`/api/cars/new%20${tag}`), 200],
    [
      'changes it',
      { method: 'PUT', path: `/api/cars/new%20${tag}`, query: [], body: { enginePower: 105, ac: true, year: null } },
      200,
    ],
    ['creates an oil', post(`/api/cars/new%20${tag}/oils`, { type: 'Nº 1', otherInfo: 'x' }), 201],
    ['lists oils', read(`/api/cars/new%20${tag}/oils`, ['sort_by', 'otherInfo'], ['order', 'desc']), 200],
    ['deletes the car', { method: 'DELETE', path: `/api/cars/new%20${tag}`, query: [] }, 204],
    ['finds it gone', read(`/api/cars/new%20${tag}`), 404],
    ['reads a part of a car', read('/api/cars/k%2F0-0', ['fields', 'model,brand'], ['include', 'oils']), 200],
    ['lists parts', read('/api/cars', ['brand', 'seat'], ['include', 'oils'], ['fields', 'year']), 200],
    ['is refused a wrong value', post('/api/cars', { brand: 'Seat', model: 'León', doors: '5' }), 400],
    ['is refused a missing one', post('/api/cars', { brand: 'Seat' }), 400],
    ['is refused a wrong filter', read('/api/cars', ['year', 'x']), 400],
  ];
  test('in whatever it does', async () => {
    for (const [what, request, status] of steps) {
      expect([what, (await compare(tag, request)).status]).toEqual([what, status]);
    }
  });

  const fields = ['identifier', 'brand', 'model', 'year', 'enginePower', 'clima'] as const;
  const filter = fc.constantFrom(
    ['brand', 'seat'],
    ['brand', 'AVILA'],
    ['model', 'm2'],
    ['year', '2001'],
    ['year_from', '2001'],
    ['enginePower_to', '80'],
    ['enginePower', '80'],
    ['clima', 'true'],
    ['fuel', ''],
  ) as fc.Arbitrary<readonly [string, string]>;
  const list = fc
    .record({
      // Filters may be repeated, ends of ranges not.
      filters: fc.uniqueArray(filter, { maxLength: 3, selector: ([name]) => name }),
      sort: fc.option(fc.subarray([...fields], { minLength: 1 }).map((some) => some.join())),
      order: fc.option(fc.constantFrom('asc', 'desc')),
      size: fc.option(fc.integer({ min: 1, max: 9 })),
      page: fc.option(fc.integer({ min: 1, max: 4 })),
    })
    .map(({ filters, sort, order, size, page }) =>
      read(
        '/api/cars',
        ...filters,
        ...Object.entries({ sort_by: sort, order, number_of_elements: size, page }).flatMap(([name, value]) =>
          value === null ? [] : [[name, String(value)] as const],
        ),
      ),
    );
  test('in whatever list it asks for', () =>
    fc.assert(
      fc.asyncProperty(list, async (request) => {
        expect((await compare(tag, request)).status).toBe(200);
      }),
      { numRuns: 60 },
    ));
});

test('what it sends to the Spanish tree is Spanish', () => {
  const { request } = translatorBetween(dictionary('en'), dictionary('es'));
  expect(
    request({
      method: 'GET',
      path: '/api/cars/a-1/oils',
      query: [
        ['type', '5W-30'],
        ['sort_by', 'otherInfo,type'],
        ['order', 'desc,asc'],
        ['number_of_elements', '2'],
      ],
    }),
  ).toEqual({
    method: 'GET',
    path: '/api/coches/a-1/aceites',
    query: [
      ['tipo', '5W-30'],
      ['ordenar_por', 'otros_datos,tipo'],
      ['orden', 'descendente,ascendente'],
      ['numero_de_elementos', '2'],
    ],
    body: undefined,
  });
  expect(request(post('/api/cars', { brand: 'Seat', model: 'Ibiza', year: 2008, enginePower: 105 }))).toMatchObject({
    path: '/api/coches',
    body: { marca: 'Seat', modelo: 'Ibiza', anio: 2008, cilindrada: 105 },
  });
});
