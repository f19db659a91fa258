/** Numbers with one sign before three digits, wherever people write them. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createLanguages, getValues, type Language, toQueryText } from '../../../../src/gateway/locale/language.ts';
import { layered } from '../../../../src/gateway/locale/layers.ts';
import { type Catalogue, collection, defineCatalogue } from '../../../../src/gateway/model/catalogue.ts';
import { date, decimal, integer, key, timestamp } from '../../../../src/gateway/model/fields.ts';
import { createValueWriter, readPeople } from '../../../../src/gateway/site/content/values.ts';
import { loadLocales } from '../../../../src/host/tables/load.ts';
import { useApp } from '../../../support/app/app.ts';
import { english } from '../../../support/language/every-kind.ts';
import { folderOf, tableOf } from '../../../support/language/locale-folder.ts';

const catalogue: Catalogue = defineCatalogue(
  collection('boats', {
    code: key(),
    whole: integer({ min: 0, max: 2_000_000, unit: 'km' }),
    two: decimal({ scale: 2, min: 0, max: 2_000_000, unit: 'EUR' }),
    three: decimal({ scale: 3, min: 0, max: 2_000_000 }),
    day: date({ min: '1900-01-01', max: '2100-12-31' }),
    moment: timestamp(),
  }),
);
const names = Object.fromEntries(catalogue.flatMap(({ fields }) => fields.map(({ name }) => [name, name])));
const { boats } = english.nouns;
const table = (path: string) => ({
  paths: { boats: path },
  fields: { boats: names },
  nouns: { boats: { the: boats.the, of: boats.of } },
  subject: english.subject,
  pages: { totals: { boats: '{count}' } },
  descriptions: { collections: { boats: { name: 'Boats', schema: 'Boat' } } },
});
const folder = folderOf(
  { 'en.json': layered(tableOf('en'), table('boats')), 'es.json': layered(tableOf('es'), table('barcos')) },
  afterAll,
);
const app = useApp({
  catalogue,
  locales: folder,
  given: [
    ['/api/boats', { code: '12990', whole: 12_990, two: 12_990, three: 12_990 }],
    ['/api/boats', { code: '12.99', two: 12.99, three: 12.99 }],
    ['/api/boats', { code: 'x' }],
  ],
});
const languages = new Map(
  createLanguages(catalogue, loadLocales(catalogue, folder, 'en'), 'en').map((each) => [each.tag, each]),
);
const lists = { en: 'boats', es: 'barcos' } as const;
type Tag = keyof typeof lists;
const [top] = catalogue;
if (!top) throw new TypeError('no collection');
const languageIn = (tag: Tag): Language => languages.get(tag) ?? expect.unreachable();

/** @returns the number that was read, or the two that an error offers */
const readQuery = async (tag: Tag, word: string, text: string): Promise<string> => {
  const { status, json } = await app.send('GET', `/api/${lists[tag]}?${word}=${encodeURIComponent(text)}`);
  if (status === 200) return json.flatMap(({ code }: { code: string }) => (code === 'x' ? [] : code)).join();
  const range = await app.send(
    'GET',
    `/api/${lists[tag]}?${word}_${tag === 'en' ? 'to' : 'hasta'}=${encodeURIComponent(text)}`,
  );
  expect(range.json.errors[0].detail.replace(/_\w+/, '')).toBe(json.errors[0].detail);
  return describeError(json);
};
// biome-ignore lint/suspicious/noExplicitAny: a problem
const describeError = ({ errors }: any): string =>
  /(?:may be|puede ser) (\S+) (?:or|o) (\S+);/
    .exec(errors[0].detail ?? errors[0].detalle)
    ?.slice(1, 3)
    .join(' | ') ?? errors[0].suggestion;

const readFile = async (tag: Tag, word: string, text: string, prefer = ''): Promise<string> => {
  const headers = { 'content-type': 'text/csv', prefer: `resolution=merge-duplicates${prefer}` };
  const { status, json } = await app.send('POST', `/api/${lists[tag]}`, `code;${word}\r\nx;${text}\r\n`, headers);
  if (status !== 200) return describeError({ errors: json.report.errors ?? json.report.errores });
  const { json: item } = await app.send('GET', '/api/boats/x');
  return String(item[word]);
};

const places: Readonly<Record<string, (tag: Tag, word: string, text: string) => Promise<string>>> = {
  file: readFile,
  query: readQuery,
  'a string of JSON': async (tag, word, text) =>
    describeError((await app.send('PATCH', `/api/${lists[tag]}/x`, { [word]: text })).json),
  'an option of a command': (tag, word, text) => readQuery(tag, word, toQueryText(languageIn(tag), top, word, text)),
};

const BOTH = '12990 | 12.99';
const INPUT = { whole: [BOTH, BOTH], two: [BOTH, BOTH], three: ['12.99', BOTH] };
const PEOPLE = {
  en: { whole: [BOTH, '12990'], two: [BOTH, '12990'], three: ['12.99', '12990'] },
  es: { whole: ['12990', '12990 | 12,99'], two: ['12990', '12990 | 12,99'], three: ['12990', '12.99'] },
};

/** What `12.990` and `12,990` are in fields with no, two and three decimals. */
const expected: Readonly<Record<string, Readonly<Record<Tag, Readonly<Record<string, readonly string[]>>>>>> = {
  file: PEOPLE,
  query: { en: INPUT, es: INPUT },
  'a string of JSON': { en: { ...INPUT, three: ['12.990', BOTH] }, es: { ...INPUT, three: ['12.990', BOTH] } },
  'an option of a command': {
    en: PEOPLE.en,
    es: { whole: ['12990', BOTH], two: ['12990', BOTH], three: ['12990', '12.99'] },
  },
};

describe.each(Object.keys(places))('in a %s', (place) => {
  describe.each(['en', 'es'] as const)('in %s', (tag) => {
    test.each(['whole', 'two', 'three'])('a field with %s decimals', async (word) => {
      const read: unknown[] = [];
      for (const text of ['12.990', '12,990']) read.push(await places[place]?.(tag, word, text));
      expect(read).toEqual(expected[place]?.[tag][word]);
    });
  });
});

test.each([
  ['en', 'two', '12.995', '12995 | 12.995'],
  ['en', 'two', '12,995.50', '12995.5'],
  ['es', 'two', '12.990,00 €', '12990'],
  ['es', 'two', '12.990 EUR', '12990'],
  ['es', 'whole', '177.392 km', '177392'],
  ['es', 'whole', '1.234.567', '1234567'],
  ['en', 'whole', '1.234.567', '1234567'],
  ['es', 'whole', '190 CV', undefined],
  ['es', 'two', '12.990 $', undefined],
  ['es', 'two', '0,990', '0.99'],
  ['es', 'two', '1.23.456', undefined],
  ['es', 'two', '19347,899999999998', '19347.9'],
  ['en', 'two', '48200.000000000007', '48200'],
  ['en', 'two', '12.9951', undefined],
  ['en', 'two', '1e-400', undefined],
] as const)('a file in %s, %s: %s is %s', async (tag, word, text, value) => {
  expect(await readFile(tag, word, text)).toBe(value);
});

test.each([
  ['point', 'two', '12.990', '12.99'],
  ['point', 'two', '12,990', '12990'],
  ['comma', 'two', '12,990', '12.99'],
  ['comma', 'whole', '12.990', '12990'],
] as const)('what a client says of decimals (%s) decides: %s, %s', (decimals, word, text, value) => {
  for (const tag of ['en', 'es'] as const) {
    const field = top.fields.find(({ name }) => name === word) ?? expect.unreachable();
    expect(String(getValues(languageIn(tag), top, field, { decimals }).fromCell(text))).toBe(value);
  }
});

test.each([
  ['whole', '12.990,00', '12990'],
  ['two', '12.990,00 €', '12990'],
  ['two', '12 990', '12990'],
] as const)('a query reads what can only mean one number: %s, %s', async (word, text, key) => {
  expect(await readQuery('es', word, text)).toBe(key);
});

test.each([
  ['en', 'day', '2019-03-14 00:00:00', '2019-03-14'],
  ['es', 'day', '14/03/2019 0:00:00', '2019-03-14'],
  ['es', 'day', '14/03/2019 10:30', undefined],
  ['en', 'moment', '2026-10-01T09:27:00.1234567Z', '2026-10-01T09:27:00.123Z'],
  ['en', 'moment', '2026-10-01t09:27:00z', '2026-10-01T09:27:00Z'],
  ['en', 'moment', '2026-10-01 09:27', '2026-10-01T09:27:00Z'],
  ['es', 'moment', '01/10/2026 9:27', '2026-10-01T09:27:00Z'],
  ['en', 'moment', '2026-10-01T24:27', undefined],
] as const)('a file in %s, %s: %s is %s', async (tag, word, text, value) => {
  expect(await readFile(tag, word, text)).toBe(value);
});

test('a date with a time is told which date it is', async () => {
  const { json } = await app.send('GET', '/api/boats?day=2019-03-14T10:30:00Z');
  expect(json.errors[0]).toMatchObject({ suggestion: '2019-03-14', detail: expect.stringContaining('has a time') });
});

test('a moment takes any fraction of a second, and small letters', async () => {
  for (const moment of ['2026-10-01T09:27:00.1239999Z', '2026-10-01t11:27:00.12399+02:00']) {
    const { json } = await app.send('PATCH', '/api/boats/x', { moment });
    expect(json.moment).toBe('2026-10-01T09:27:00.123Z');
  }
});

test('a plus sign that is not escaped in a query is told how it is written', async () => {
  const { json } = await app.send('GET', '/api/boats?moment_from=2026-10-01T09:27:00+02:00');
  expect(json.errors[0].suggestion).toBe('2026-10-01T09:27:00%2B02:00');
});

test.each([
  ['Europe/Madrid', '2026-07-01 09:27', '2026-07-01T07:27:00Z'],
  ['Europe/Madrid', '2026-12-01 09:27', '2026-12-01T08:27:00Z'],
  ['Europe/Madrid', '2026-03-29 03:30', '2026-03-29T01:30:00Z'],
  ['America/Bogota', '2026-12-01T09:27:30.5', '2026-12-01T14:27:30.500Z'],
  ['Europe/Madrid', '2026-12-01T09:27:00Z', '2026-12-01T09:27:00Z'],
])('a moment without a zone is one of %s: %s', (zone, text, value) => {
  const field = top.fields.find(({ name }) => name === 'moment') ?? expect.unreachable();
  const { fromCell, fromDays } = getValues(languageIn('en'), top, field, { zone });
  expect(fromCell(text)).toBe(value);
  const days = Date.parse(`${text.replace('Z', '')}Z`) / 86_400_000;
  if (!text.endsWith('Z')) expect(fromDays?.(days)).toBe(value);
});

describe.each(['en', 'es'] as const)('what pages in %s write', (tag) => {
  const fieldNamed = (word: string) => top.fields.find(({ name }) => name === word) ?? expect.unreachable();
  const read = (word: string, text: string) => readPeople(languageIn(tag), top, fieldNamed(word), word, text);
  const write = (word: string, value: unknown) => createValueWriter(languageIn(tag), top, fieldNamed(word))(value);

  test.each([
    ['whole', 0],
    ['two', 2],
    ['three', 3],
  ])('is read as the same number of a field with %s decimals', (word, scale) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), (units) => {
        const value = units / 10 ** scale;
        expect(Number(read(word, write(word, value)))).toBe(value);
      }),
    );
  });

  test('is read as the same day, and as the same minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: -36_000_000, max: 67_000_000 }), (minutes) => {
        const iso = new Date(minutes * 60_000).toISOString();
        expect(read('day', write('day', iso.slice(0, 10)))).toBe(iso.slice(0, 10));
        expect(read('moment', write('moment', iso))).toBe(iso);
      }),
    );
  });
});

test.each([
  ['en', 'two', 12_990.5, '12,990.50'],
  ['es', 'two', 12_990.5, '12.990,50'],
  ['en', 'whole', 1_234_567, '1,234,567'],
  ['es', 'whole', 1_234_567, '1.234.567'],
  ['en', 'day', '2019-03-04', 'Mar 4, 2019'],
  ['es', 'day', '2019-03-04', '04/03/2019'],
] as const)('a page in %s writes “%s” as its people do', (tag, word, value, text) => {
  const field = top.fields.find(({ name }) => name === word) ?? expect.unreachable();
  expect(createValueWriter(languageIn(tag), top, field)(value)).toBe(text);
});

test.each([
  ['en', '4 Mar 2019', '2019-03-04'],
  ['en', '2019-03-04', '2019-03-04'],
  ['en', '4/3/2019', '4/3/2019'],
  ['es', '4/3/2019', '2019-03-04'],
] as const)('in %s “%s” is the day %s', (tag, text, day) => {
  const field = top.fields.find(({ name }) => name === 'day') ?? expect.unreachable();
  expect(readPeople(languageIn(tag), top, field, 'day', text)).toBe(day);
});
