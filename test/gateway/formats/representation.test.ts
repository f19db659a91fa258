import { describe, expect, test } from 'vitest';
import { itemRepresentations } from '../../../src/gateway/formats/formats.ts';
import type { Row } from '../../../src/gateway/port/port.ts';
import { streamList, writeWhole } from '../../../src/gateway/write/list.ts';
import { chunked } from '../../support/database/reads.ts';
import { cars, en, es, oils } from '../../support/language/spoken.ts';

const ofEach = (language: typeof en.language, collection: typeof cars, fields = collection.fields) => {
  const [whole] = itemRepresentations(language, collection);
  return fields === collection.fields ? whole : whole.withSelection(collection, { fields, included: [] });
};
const carInEnglish = ofEach(en.language, cars);
const carInSpanish = ofEach(es.language, cars);
const oilInEnglish = ofEach(en.language, oils);
const oilInSpanish = ofEach(es.language, oils);
/** A selection of fields, in an order of its own. */
const [identifier, , , year] = cars.fields;
const selection = [identifier, cars.fields.at(-1), year].filter((field) => field !== undefined);
const someOfCar = ofEach(es.language, cars, selection);

const full: Row = [7, 'a-1', 'Citroën', 'C4', 2006, 5, 109, '1.6 "HDi"', 0, 1, 'Diésel'];
const bare: Row = [8, 'á/1', 'Seat', 'Ibiza', null, null, null, null, null, null, null];
const empty: Row = [9, '\\', '\u2028', '\n', 0, 0, 0, '', 1, 0, ''];

/** A row, and its JSON. */
const rows = [
  [
    carInEnglish,
    full,
    '{"identifier":"a-1","brand":"Citroën","model":"C4","year":2006,"doors":5,"enginePower":109,"version":"1.6 \\"HDi\\"","clima":false,"ac":true,"fuel":"Diésel"}',
  ],
  [
    carInSpanish,
    full,
    '{"identificador":"a-1","marca":"Citroën","modelo":"C4","anio":2006,"puertas":5,"cilindrada":109,"version":"1.6 \\"HDi\\"","climatizador":false,"ac":true,"fuel":"Diésel"}',
  ],
  [carInEnglish, bare, '{"identifier":"á/1","brand":"Seat","model":"Ibiza"}'],
  [carInSpanish, bare, '{"identificador":"á/1","marca":"Seat","modelo":"Ibiza"}'],
  [
    carInEnglish,
    empty,
    '{"identifier":"\\\\","brand":"\u2028","model":"\\n","year":0,"doors":0,"enginePower":0,"version":"","clima":true,"ac":false,"fuel":""}',
  ],
  [someOfCar, full, '{"identificador":"a-1","fuel":"Diésel","anio":2006}'],
  [someOfCar, bare, '{"identificador":"á/1"}'],
  [oilInEnglish, [1, '5W-30', 'VW 504'], '{"type":"5W-30","otherInfo":"VW 504"}'],
  [oilInSpanish, [1, '5W-30', 'VW 504'], '{"tipo":"5W-30","otros_datos":"VW 504"}'],
  [oilInSpanish, [1, '5W-30', null], '{"tipo":"5W-30"}'],
] as const;

test.each(rows)('row %#', (representation, row, expected) => {
  expect(representation.list.row(row, 0)).toBe(expected);
  expect(representation.list.row(row, 0)).toBe(expected);
});

test('says what it is', () => {
  expect(carInSpanish).toMatchObject({
    type: 'application/json',
    headers: { 'Content-Type': 'application/json', 'Content-Language': 'es' },
    tagMark: 'es',
  });
  expect(carInEnglish.tagMark).toBe('en');
});

const ONE = '{"identificador":"á/1","marca":"Seat","modelo":"Ibiza"}';

/** Chunks of a list, and the whole of it. */
const lists: readonly (readonly [chunks: readonly (readonly Row[])[], expected: string])[] = [
  [[], '[]'],
  [[[]], '[]'],
  [[[bare]], `[${ONE}]`],
  [[[bare, bare]], `[${ONE},${ONE}]`],
  [[[bare], [], [bare, bare]], `[${ONE},${ONE},${ONE}]`],
];

describe('a list', () => {
  test.each(lists)('whole: %#', (chunks, expected) => {
    expect(writeWhole(carInSpanish.list, chunks.flat())).toBe(expected);
  });

  test.each(lists)('streamed: %#', async (chunks, expected) => {
    const fault = (error: unknown): never => {
      throw error;
    };
    expect(await new Response(streamList(chunked(chunks), carInSpanish.list, fault)).text()).toBe(expected);
  });

  test('of a format with a header and an end of each line', async () => {
    const list = { start: 'id\n', row: ([, key]: Row) => `${key}\n`, separator: '', end: '' };
    const all = [bare, full];
    expect(writeWhole(list, all)).toBe('id\ná/1\na-1\n');
    expect(writeWhole(list, [])).toBe('id\n');
    for (const [chunks, expected] of [[[[bare], [full]], 'id\ná/1\na-1\n'] as const, [[], 'id\n'] as const]) {
      expect(await new Response(streamList(chunked(chunks), list, () => {})).text()).toBe(expected);
    }
  });
});
