/** What is proposed for an API, from its document or from its items. */
import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { collection, defineCatalogue } from '../../../src/gateway/model/catalogue.ts';
import { date, decimal, flag, integer, key, text, timestamp } from '../../../src/gateway/model/fields.ts';
import { readMapping } from '../../../src/store/upstream/mapping/mapping.ts';
import { propose } from '../../../src/tools/upstream/propose.ts';
import { readSamples } from '../../../src/tools/upstream/sample.ts';
import { listening, peers } from '../../support/peers/peers.ts';

const json =
  (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json', ...headers });
    outgoing.end(JSON.stringify(body));
  };

const proposed = async (listener: RequestListener, path = '/things') => {
  const { preset, samples } = await readSamples((await listening(listener)) + path);
  return { preset, ...propose(preset, samples) };
};

const kinds = { defineCatalogue, collection, date, decimal, flag, integer, key, text, timestamp };
/** Runs what is proposed, as `src/catalogue.ts` would. */
const catalogueOf = (lines: string) =>
  new Function(...Object.keys(kinds), `${lines.replace('export const catalogue =', 'return')}`)(
    ...Object.values(kinds),
  );

test('a catalogue and a mapping, which fit each other', async () => {
  const { listener } = await peers['json-server 0.17']({
    cars: [
      {
        id: 1,
        brand: 'Seat',
        model_year: 2008,
        price: 12_990.5,
        sold: true,
        since: '2026-01-31',
        at: '2026-01-31T10:00:00Z',
        tags: ['a'],
      },
      { id: 2, brand: 'Audi', model_year: -3, price: 7, at: '2026-02-01T10:00:00+01:00', nothing: null },
    ],
    oils: [{ id: 1, carId: 1, type: 'x' }],
  });
  const { preset, catalogue, mapping } = await proposed(listener, '/db');
  expect(preset).toBe('json-server');
  expect(catalogue).toBe(`export const catalogue = defineCatalogue(
  collection(
    'cars',
    {
      id: key({ assigned: true }),
      brand: text({ required: true, max: 200 }),
      modelYear: integer({ min: -10, max: 10000 }),
      price: decimal({ min: 0, max: 100000, scale: 1 }),
      sold: flag(),
      since: date(),
      at: timestamp(),
    },
    collection(
      'oils',
      {
        id: key({ assigned: true }),
        type: text({ required: true, max: 200 }),
      },
    ),
  ),
);`);
  expect(JSON.parse(mapping)).toEqual({
    preset: 'json-server',
    collections: {
      cars: { path: '/cars', fields: { id: { name: 'id', type: 'number' }, modelYear: 'model_year' } },
      oils: { path: '/oils', parent: 'carId', fields: { id: { name: 'id', type: 'number' } } },
    },
  });
  expect(() => readMapping(JSON.parse(mapping), catalogueOf(catalogue))).not.toThrow();
});

describe('the preset is recognised', () => {
  const page = { first: 1, items: 1, data: [{ id: 'a' }] };
  test.each([
    ['json-server', json([{ id: 'a' }])],
    ['json-server-1', json(page)],
    ['json-server-1', json([{ id: 'a' }], { 'x-powered-by': 'tinyhttp' })],
    ['postgrest', json([{ id: 'a' }], { 'content-range': '0-0/*' })],
    ['postgrest', json({ swagger: '2.0', definitions: { things: { properties: { id: { type: 'string' } } } } })],
    ['this', json([{ id: 'a' }], { 'x-change': 'abc' })],
  ])('%s', async (preset, listener) => {
    const found = await proposed(listener);
    expect([found.preset, JSON.parse(found.mapping).collections]).toEqual([
      preset,
      { things: { path: '/things', fields: {} } },
    ]);
  });
});

test('a document says types, where there are no items', async () => {
  const properties = {
    code: { type: 'string', example: 'a' },
    count: { type: 'integer' },
    'is-new': { type: ['boolean', 'null'] },
    day: { type: 'string', format: 'date' },
    parts: { type: 'array' },
  };
  const { catalogue } = await proposed(
    json({ openapi: '3.1.0', components: { schemas: { Thing: { properties }, Empty: {} } } }),
  );
  expect(catalogue).toContain("'thing',");
  expect(catalogue).toContain(
    'code: key({ assigned: true }),\n      count: integer({ min: 0, max: 10 }),\n      isNew: flag(),\n      day: date(),\n',
  );
  expect(() => catalogueOf(catalogue)).not.toThrow();
});

test('what is no JSON, or is not there, is named', async () => {
  const url = await listening((_, outgoing) => void outgoing.end('<html>'));
  await expect(readSamples(url)).rejects.toMatchObject({ text: 'upstream-unreadable', values: { url } });
  await expect(readSamples('nowhere')).rejects.toMatchObject({ text: 'upstream-unreadable' });
});
