/** What `upstream.json` says, and what an API is asked in consequence. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choice, date, decimal, flag, integer, text, timestamp } from '../../../src/gateway/model/fields.ts';
import { readMapping } from '../../../src/store/upstream/mapping/mapping.ts';
import { type JsonType, mappedField } from '../../../src/store/upstream/mapping/values.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { everyKind } from '../../support/language/every-kind.ts';
import { gatewayBefore, listening } from '../../support/peers/peers.ts';

describe('a fault of the mapping is named', () => {
  test.each([
    [{}, /^preset: /],
    [{ preset: 'rest' }, /^preset: /],
    [{ preset: 'postgrest', timeot: 5 }, /timeot/],
    [{ preset: 'json-server', envelope: { items: 'a..b' } }, /^envelope\.items: must be names with dots between$/],
    [{ preset: 'json-server', collections: { trucks: {} } }, /^collections\.trucks: the catalogue has no such thing$/m],
    [
      { preset: 'json-server', collections: { cars: { fields: { colour: 'c' } } } },
      /^collections\.cars\.fields\.colour: the catalogue has no such thing$/m,
    ],
    [
      { preset: 'json-server', collections: { oils: { path: '/oils' } } },
      /^collections\.oils: needs "parent", or \{cars\} in its path$/m,
    ],
    [
      { preset: 'json-server', collections: { cars: { path: 'cars' } } },
      /^collections\.cars\.path: must begin with a slash/,
    ],
  ])('%j', (content, fault) => {
    expect(() => readMapping(content, catalogue)).toThrow(fault);
  });

  test('a list of texts, which none can have', () => {
    expect(() => readMapping({ preset: 'this' }, everyKind)).toThrow(/^collections\.boats\.fields\.extras: /m);
  });
});

/** What is there, what is in our JSON, and how it is written there again. */
const values: readonly (readonly [
  spec: Parameters<typeof mappedField>[0],
  type: JsonType | undefined,
  there: unknown,
  json: string,
])[] = [
  [{ name: 'n', ...integer({ min: 0, max: 9 }) }, undefined, 5, '5'],
  [{ name: 'n', ...integer({ min: 0, max: 9 }) }, 'string', '5', '5'],
  [{ name: 'n', ...integer({ min: 0, max: 9 }) }, 'string', '-12', '-12'],
  [{ name: 'f', ...flag() }, undefined, true, 'true'],
  [{ name: 'f', ...flag() }, 'number', 0, 'false'],
  [{ name: 'f', ...flag() }, 'string', 'true', 'true'],
  [{ name: 't', ...text({ max: 9 }) }, undefined, '5', '"5"'],
  [{ name: 't', ...text({ max: 9 }) }, 'number', 5, '"5"'],
  [{ name: 't', ...text({ max: 9 }) }, 'number', 2.5, '"2.5"'],
  [{ name: 'd', ...decimal({ min: 0, max: 9, scale: 2 }) }, undefined, 12990.5, '12990.50'],
  [{ name: 'd', ...decimal({ min: 0, max: 9, scale: 2 }) }, 'string', '0.1', '0.10'],
  [{ name: 'd', ...date() }, undefined, '2008-02-29', '"2008-02-29"'],
  [{ name: 'd', ...timestamp() }, undefined, '2026-01-02T03:04:05Z', '"2026-01-02T03:04:05Z"'],
  [{ name: 'c', ...choice(['diesel', 'petrol']) }, undefined, 'D', '"diesel"'],
];
test.each(values)('a value of %o as %s: %j', (field, type, there, json) => {
  const { read, write } = mappedField(field, 'x', type, { diesel: 'D' });
  const cell = read(there);
  expect(cell === null ? undefined : write(cell)).toEqual(there);
  expect(cell === null ? undefined : mappedField(field, 'x').write(cell)).toEqual(JSON.parse(json));
});

test.each([
  [{ name: 'n', ...integer({ min: 0, max: 9 }) }, undefined, ['5', true, 5.5, [], {}]],
  [{ name: 'n', ...integer({ min: 0, max: 9 }) }, 'string', ['05', '5.5', '', ' 5', '1e3', 'five']],
  [{ name: 'f', ...flag() }, undefined, ['true', 1, 0, '']],
  [{ name: 't', ...text({ max: 9 }) }, undefined, [5, true, {}]],
] as const)('what is no value of %o as %s is refused', (field, type, others) => {
  const { read } = mappedField(field, 'x', type);
  for (const other of others) expect(() => read(other), JSON.stringify(other)).toThrow('bad-gateway');
  expect([read(null), read(undefined)]).toEqual([null, null]);
});

test('a text that is the name of what every object has is a text', () => {
  const { read, write } = mappedField({ name: 't', ...text({ max: 9 }) }, 'x');
  for (const name of ['valueOf', 'constructor', '__proto__']) expect([write(name), read(name)]).toEqual([name, name]);
});

test('a value comes back as it was written, or is not written at all', () => {
  const fields = [
    { name: 'n', ...integer({ min: -1e9, max: 1e9 }) },
    { name: 't', ...text({ max: 99 }) },
    { name: 'f', ...flag() },
  ];
  const cells = fc.oneof(
    fc.integer({ min: -1e9, max: 1e9 }).map((cell) => [0, cell] as const),
    fc.string({ unit: 'binary' }).map((cell) => [1, cell] as const),
    fc.constantFrom([2, 0] as const, [2, 1] as const),
  );
  fc.assert(
    fc.property(cells, fc.constantFrom<(JsonType | undefined)[]>(undefined, 'string', 'number'), ([at, cell], type) => {
      const field = fields[at];
      if (!field) throw new TypeError('no such field');
      const { read, write } = mappedField(field, 'x', type);
      const there = write(cell);
      expect(there === undefined ? cell : read(JSON.parse(JSON.stringify(there)))).toBe(cell);
    }),
  );
});

/** No PostgREST can be had here: what it is asked is compared with its documentation, literally. */
describe('PostgREST is asked', () => {
  const asked: string[] = [];
  const ask = async (path: string): Promise<string> => {
    asked.length = 0;
    const url = await listening((incoming, outgoing) => {
      expect(incoming.headers.prefer).toBe('count=exact, return=representation');
      asked.push(decodeURIComponent(incoming.url ?? ''));
      outgoing.writeHead(206, { 'content-type': 'application/json; charset=utf-8', 'content-range': '0-0/1' });
      outgoing.end(JSON.stringify([{ id: 'a', brand: 'Seat', model: 'Ibiza', car: 'a', type: 'x' }]));
    });
    const collections = {
      cars: { fields: { identifier: 'id' }, order: 'created' },
      oils: { path: '/oils', parent: 'car' },
    };
    const { app } = gatewayBefore(url, { preset: 'postgrest', collections });
    expect((await app.request(path)).status).toBe(200);
    return asked[0] ?? '';
  };

  test.each([
    ['/api/coches', '/cars?order=created.asc&offset=0&limit=500'],
    ['/api/cars/a', '/cars?id=eq.a&order=created.asc&offset=0&limit=2'],
    ['/api/coches/a/aceites', '/oils?car=eq.a&order=type.asc&offset=0&limit=500'],
    ['/api/cars/a/oils/x', '/oils?car=eq.a&type=eq.x&order=type.asc&offset=0&limit=2'],
    ['/api/coches?anio=2008&anio=2009', '/cars?year=in.("2008","2009")&order=created.asc&offset=0&limit=500'],
    ['/api/cars?clima=true', '/cars?clima=in.("true")&order=created.asc&offset=0&limit=500'],
    [
      '/api/coches?anio_desde=2000&anio_hasta=2010',
      '/cars?year=gte.2000&year=lte.2010&order=created.asc&offset=0&limit=500',
    ],
    ['/api/cars?sort_by=year&number_of_elements=1', '/cars?order=year.asc.nullslast,created.asc&offset=0&limit=1'],
    // These are done here: accents, and where missing values come.
    ['/api/coches?marca=seat', '/cars?order=created.asc&offset=0&limit=500'],
    ['/api/cars?sort_by=year&order=desc', '/cars?order=created.asc&offset=0&limit=500'],
  ])('%s: %s', async (path, there) => {
    expect(await ask(path)).toBe(there);
  });

  test('a page beyond the end is empty', async () => {
    const url = await listening((_, outgoing) => {
      outgoing.writeHead(416, { 'content-type': 'application/json', 'content-range': '*/3' });
      outgoing.end('{"code":"PGRST103"}');
    });
    const { app } = gatewayBefore(url, { preset: 'postgrest', collections: { oils: { parent: 'car' } } });
    const response = await app.request('/api/coches?pagina=9');
    expect([response.status, await response.text(), response.headers.get('x-total-count')]).toEqual([200, '[]', '3']);
  });
});
