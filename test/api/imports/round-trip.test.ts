/** What one tree exports, another imports into an empty catalogue, which exports the same, byte for byte. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../support/app/app.ts';
import { runsOf } from '../../support/database/database.ts';
import { project } from '../../support/process/service.ts';

type App = Awaited<ReturnType<typeof openApp>>;

const TYPES = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
type Format = keyof typeof TYPES;
const formats = Object.keys(TYPES) as Format[];

const bytesOf = async ({ app }: App, target: string): Promise<Buffer> => {
  const response = await app.request(target);
  expect([target, response.status]).toEqual([target, 200]);
  return Buffer.from(await response.arrayBuffer());
};

const exported = (app: App, list: string, format: Format): Promise<Buffer> =>
  bytesOf(app, `${list}?${list.includes('coches') ? 'formato' : 'format'}=${format}`);

const sent = async (
  { app }: App,
  list: string,
  type: string,
  body: Buffer | string,
  prefer = '',
): Promise<Readonly<Record<string, unknown>>> => {
  const content = new Uint8Array(Buffer.from(body));
  const response = await app.request(list, {
    method: 'POST',
    body: content,
    headers: { 'content-type': type, prefer },
  });
  const json = (await response.json()) as Readonly<Record<string, unknown>>;
  expect([response.status, json]).toEqual([200, json]);
  return json;
};

const empty = (app: App) => sent(app, '/api/cars', TYPES.json, '[]', 'resolution=replace-all; allow-deletions');

let from: App;
let to: App;
beforeAll(async () => {
  [from, to] = await Promise.all([openApp(), openApp()]);
  return () => Promise.all([from.close(), to.close()]);
});
beforeEach(async () => {
  await Promise.all([empty(from), empty(to)]);
});

/** What cells, rows and files of all formats could take for something else. */
const character = fc.constantFrom(...'",;\t\r\n=+-@\' \uFEFF\u00A0ñ😀\\<&_x0#é\u0301\u2028');
const text = fc.oneof(
  fc.string({ unit: character, maxLength: 8 }),
  fc.constantFrom('', '#', '=1+1', '_x0041_', ']]>', 'true', 'sí', 'null', '1', '2008,0', '\u0001', '\r', '""', '{}'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const some = fc.option(text, { nil: undefined });
const name = text.map((each) => `${each}x`);
const car = fc.record({
  brand: name,
  model: name,
  year: fc.option(fc.integer({ min: 1886, max: 2100 }), { nil: undefined }),
  enginePower: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined }),
  version: some,
  clima: fc.option(fc.boolean(), { nil: undefined }),
  fuel: some,
});
const key = fc.string({ unit: fc.constantFrom(...'aÑ/%.,;"\' 😀#?='), minLength: 1, maxLength: 6 });
const keys = fc.uniqueArray(
  key.map((each) => each.trim()).filter((each) => !['', '.', '..'].includes(each)),
  { minLength: 1, maxLength: 8 },
);

describe.each(formats)('%s', (format) => {
  test('of cars with hostile texts', () =>
    fc.assert(
      fc
        .asyncProperty(
          keys,
          fc.array(car, { minLength: 8, maxLength: 8 }),
          fc.constantFrom('/api/coches', '/api/cars'),
          async (ids, cars, list) => {
            const items = ids.map((identifier, at) => ({ identifier, ...cars[at] }));
            await sent(from, '/api/cars', TYPES.json, JSON.stringify(items));
            const report = await sent(to, list, TYPES[format], await exported(from, list, format));
            // Random powers are warned of.
            expect(Object.values(report).slice(0, 7)).toEqual([ids.length, 0, 0, 0, 0, 0, 0]);
            for (const each of ['csv', 'ndjson'] as const) {
              expect(await exported(to, '/api/cars', each)).toEqual(await exported(from, '/api/cars', each));
            }
          },
        )
        .beforeEach(async () => {
          await Promise.all([empty(from), empty(to)]);
        }),
      { numRuns: runsOf(10) },
    ));

  test('of the oils of a car', async () => {
    for (const app of [from, to]) {
      await sent(app, '/api/cars', TYPES.json, '[{"identifier":"a/1","brand":"Seat","model":"Ibiza"}]');
    }
    const oils = [{ type: '10W/40', otherInfo: 'ñ;,\r\n"\t' }, { type: '=5W-30' }, { type: '. .', otherInfo: '' }];
    await sent(from, '/api/cars/a%2F1/oils', TYPES.json, JSON.stringify(oils));
    const file = await exported(from, '/api/coches/a%2F1/aceites', format);
    await sent(to, '/api/coches/a%2F1/aceites', TYPES[format], file);
    expect(JSON.parse(String(await bytesOf(to, '/api/cars/a%2F1/oils')))).toEqual(oils);
  });
});

const DATA = [
  ['/api/cars', 'vehicles.en.csv'],
  ['/api/coches', 'vehiculos.es.csv'],
] as const;
const fileOf = (name: string): Buffer => readFileSync(join(project, 'test/data', name));

test('real files, sent a second time, change nothing: no number is taken, and no entity tag is another', async () => {
  for (const [list, name] of DATA) {
    expect(Object.values(await sent(from, list, TYPES.csv, fileOf(name)))).toEqual([300, 0, 0, 0, 0, 0, 0]);
  }
  const tags = async () => {
    const ids: readonly string[] = JSON.parse(String(await bytesOf(from, '/api/cars'))).map(
      ({ identifier }: { readonly identifier: string }) => identifier,
    );
    const targets = ['/api/cars', ...ids.map((id) => `/api/coches/${encodeURIComponent(id)}`)];
    const responses = await Promise.all(targets.map((target) => from.app.request(target, { method: 'HEAD' })));
    return responses.map(({ headers }) => headers.get('etag'));
  };
  const before = await tags();
  expect(new Set(before).size).toBe(601);
  for (const prefer of ['resolution=merge-duplicates', 'resolution=ignore-duplicates']) {
    for (const [list, name] of DATA) {
      const counts = Object.values(await sent(from, list, TYPES.csv, fileOf(name), prefer));
      expect(counts).toEqual(prefer.includes('merge') ? [0, 0, 300, 0, 0, 0, 0] : [0, 0, 0, 300, 0, 0, 0]);
    }
  }
  expect(await tags()).toEqual(before);
});

test('a file of one language is told apart from that of another', async () => {
  const { app, close } = await openApp();
  onTestFinished(close);
  const body = new Uint8Array(fileOf('vehiculos.es.csv'));
  const response = await app.request('/api/cars', { method: 'POST', body, headers: { 'content-type': 'text/csv' } });
  const { code, errors } = (await response.json()) as { code: string; errors: readonly { suggestion: string }[] };
  expect([response.status, code]).toEqual([400, 'invalid-body']);
  expect(errors.map(({ suggestion }) => suggestion)).toEqual(['identifier', 'brand', 'model', 'year']);
});
