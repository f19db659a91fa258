import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../support/any-character.ts';
import { useFreshApp } from '../support/app/app.ts';
import { runsOf } from '../support/database/database.ts';

const headers = { 'content-type': 'application/json' };

const app = useFreshApp({ given: [['/api/cars', { identifier: 'a', brand: 'B', model: 'M' }]] });

/** Each response is compared with the documents; where these know no operation, with what they say of all. */
const expectDocumented = async (target: string, init?: RequestInit): Promise<void> => {
  const answer = await app.request(target, init);
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(500);
  const body = text === '' ? {} : JSON.parse(text);
  if (answer.status >= 400 && init?.method !== 'HEAD') expect(body.status).toBe(answer.status);
  expect(answer.headers.get('x-request-id')).not.toBeNull();
  if (body.errors !== undefined) expect(body.errors.length).toBeGreaterThan(0);
  expect(app.faults).toEqual([]);
};

const cars = fc.constantFrom(
  '/api/cars',
  '/api/coches',
  '/api/cars/a',
  '/api/coches/a/aceites',
  '/livez',
  '/api/problems/not-found',
);
const words = fc.constantFrom(
  ...['brand', 'marca', 'year', 'anio', 'clima', 'climatizador', 'sort_by', 'ordenar_por', 'order', 'orden'],
  ...['page', 'pagina', 'number_of_elements', 'numero_de_elementos', '__proto__', '', 'type', 'tipo', 'version'],
  ...['year_from', 'year_to', 'anio_desde', 'anio_hasta', 'fields', 'campos', 'include', 'incluir', 'oils', 'aceites'],
);
const values = fc.constantFrom(
  ...['', '0', '1', '-1', '2008', '9'.repeat(30), 'true', 'asc', 'ascendente', 'marca', 'brand', 'brand,year'],
  ...['anio,,marca', 'oils', 'aceites', '%zz', '%00', '+', '%', '%F0%9F'],
);
const pieces = fc.oneof(words, values, fc.string(), fc.constantFrom('=', '&', '?', '#', '%', '%2', '/', ';'));
/** What a URL's query or path may hold on the wire: bytes, which Node hands on as Latin-1. */
const wire = fc.string({ unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)) });

const likelyQuery = fc
  .array(fc.tuple(words, fc.oneof(values, fc.string().map(encodeURIComponent))), { maxLength: 5 })
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));
const anyQuery = fc.oneof(
  likelyQuery,
  wire,
  fc.array(pieces).map((parts) => parts.join('')),
);

const segments = fc.constantFrom(
  ...['api', 'cars', 'coches', 'oils', 'aceites', 'a', 'problems', 'not-found', '', '.', '..', '%2e%2e', '%', '%00'],
  ...['%C0%AF', '*', ':cars'],
);
const anyPath = fc.oneof(
  wire.map((text) => `/${text}`),
  fc
    .array(fc.oneof(segments, wire, fc.string().map(encodeURIComponent)), { maxLength: 7 })
    .map((parts) => `/${parts.join('/')}`),
);
const methods = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH');

const member = fc.oneof(
  fc.constantFrom(
    ...['brand', 'marca', 'model', 'modelo', 'identifier', 'identificador', 'anio', 'year', 'clima', 'tipo', 'type'],
  ),
  fc.string({ unit: anyCharacter }),
);
const anyJson = fc.oneof(fc.jsonValue(), fc.dictionary(member, fc.jsonValue())).map((value) => JSON.stringify(value));
const anyBody = fc.oneof(
  anyJson,
  fc.string(),
  fc
    .tuple(anyJson, fc.nat(), fc.constantFrom('', '"', '\\', '{', ']', '\ufeff', '\0', ','))
    .map(([text, at, change]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + change + text.slice(start + 1);
    }),
);

const runs = { numRuns: runsOf(300) };

test('any query has a documented answer', () =>
  fc.assert(
    fc.asyncProperty(cars, anyQuery, (path, query) => expectDocumented(`${path}?${query}`)),
    runs,
  ));

test('any path has a documented answer', () =>
  fc.assert(
    fc.asyncProperty(methods, anyPath, (method, path) => expectDocumented(path, { method })),
    runs,
  ));

test('any body has a documented answer', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom('POST', 'PUT', 'PATCH'), cars, anyBody, async (method, path, body) => {
      await expectDocumented(path, { method, body, headers });
    }),
    runs,
  ));

test('any bytes as a body have a documented answer', () =>
  fc.assert(
    fc.asyncProperty(cars, fc.uint8Array({ maxLength: 50 }), (path, bytes) =>
      expectDocumented(path, { method: 'PUT', body: new Uint8Array(bytes), headers }),
    ),
    runs,
  ));
