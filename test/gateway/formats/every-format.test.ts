/**
 * Every format of the table, and some that only a test has, in every shape of a response and in each language: what holds of a
 * format holds of the next one, too.
 */
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { formats } from '../../../src/gateway/formats/formats.ts';
import { cellIndex, type Format } from '../../../src/gateway/formats/representation.ts';
import { listParameters, parameterTable } from '../../../src/gateway/read/query/query.ts';
import { added } from '../../support/app/added.ts';
import { useApp } from '../../support/app/app.ts';
import { trees } from '../../support/app/trees.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { runsOf } from '../../support/database/database.ts';
import { readAll } from '../../support/files.ts';
import { cars, en, es } from '../../support/language/spoken.ts';

/** A table of items, and of one item. */
const lines = added<Format>(formats, {
  name: 'lines',
  type: 'text/x-lines',
  isOfItems: true,
  isFile: true,
  nests: false,
  write: ({ language, collection, fields }) => {
    const { word } = language.fields(collection);
    return {
      list: {
        start: '',
        row: (row) => fields.map((each) => `${word(each.name)}: ${row[cellIndex(collection, each)]}\n`).join(''),
        separator: '\n',
        end: '',
      },
    };
  },
});

let written = 0;
/** Says how often it was written. */
const counted = added<Format>(formats, {
  ...lines,
  name: 'counted',
  type: 'text/x-counted',
  nests: true,
  isPure: false,
  write: (content) => {
    const { list } = lines.write(content);
    return { list: { ...list, row: (row, at) => `${++written}\n${list.row(row, at)}` } };
  },
});

let asked = 0;
/** Some of the items, others each time. */
added(parameterTable, () => [
  {
    name: 'sample',
    word: 'sample',
    kind: 'integer',
    decides: 'page',
    isPure: false,
    parse: () => ({ size: 1, page: (asked++ % 3) + 1 }),
    format: () => [],
    schema: { type: 'integer' },
    text: 'parameter-page',
  },
]);

const { request } = useApp({
  // A catalogue of its own, and so documents of its own.
  catalogue: [...catalogue],
  given: [
    ['/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008, clima: true }],
    ['/api/cars', { identifier: 'b', brand: 'Seat', model: 'León', year: 2012 }],
    ['/api/cars', { identifier: 'c', brand: 'Ávila', model: 'Ñ', year: 1999 }],
    ['/api/cars/a/oils', { type: '5W-30', otherInfo: 'VW 504' }],
  ],
});

type Words = (typeof trees)[number];
interface Asked {
  readonly format: Format;
  readonly words: Words;
  readonly path: string;
}
const ask = ({ format, path }: Asked, query = '', headers: Record<string, string> = {}, method = 'GET') =>
  request(query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`, {
    method,
    headers: { accept: format.type, ...headers },
  });
const refusalOf = async (one: Asked, query: string): Promise<unknown> => {
  const answer = await ask(one, query);
  const { errors } = JSON.parse(await answer.text());
  return [answer.status, errors[0].parameter, errors[0].detail];
};
const bytesOf = async (path: string, { type }: Format): Promise<string> => {
  const answer = await request(path, { headers: { accept: type } });
  return `${answer.status} ${Buffer.from(await answer.arrayBuffer()).toString('latin1')}`;
};

const shapes: Readonly<Record<string, (words: Words) => string>> = {
  item: ({ cars }) => `${cars}/a`,
  list: ({ cars }) => cars,
  page: ({ cars, brand, number_of_elements }) => `${cars}?${brand}=seat&${number_of_elements}=2`,
  groups: ({ cars, group_by, brand }) => `${cars}?${group_by}=${brand}`,
};
const all = Object.entries(shapes).flatMap(([shape, pathOf]) =>
  formats
    .filter(({ isOfItems }) => isOfItems || shape !== 'item')
    .flatMap((format) =>
      trees.map((words) => ({ shape, format, words, path: pathOf(words), name: format.name, tag: words.tag })),
    ),
);
const ofItems = all.filter(({ shape }) => shape !== 'groups');

/** What a response is described by, besides its length. */
const described = ({ status, headers }: { readonly status: number; readonly headers: Headers }) => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => !/^(?:x-request-id|content-length)$/.test(name))),
});

afterEach(() => {
  vi.useRealTimers();
});

// The property below asks in both languages.
describe.each(all.filter(({ tag }) => tag === 'es'))('$shape as $name', (one) => {
  const { format, words, shape } = one;

  test('says what it is, to HEAD as well', async () => {
    const got = await ask(one);
    expect(described(got)).toEqual(described(await ask(one, '', {}, 'HEAD')));
    expect(got.headers.get('content-type')).toBe(format.contentType ?? format.type);
    expect(got.headers.get('content-language')).toBe(words.tag);
    expect(got.headers.has('content-disposition')).toBe(format.isFile);
    expect(got.headers.get('vary')).toBe('Accept');
  });

  test('is known by its own tag only, or by none', async () => {
    const { headers } = await ask(one);
    const tag = headers.get('etag');
    if (format.isPure === false) {
      expect([tag, headers.get('cache-control')]).toEqual([null, 'no-store']);
      expect((await ask(one, '', { 'if-none-match': '*' })).status).toBe(200);
      return;
    }
    expect(headers.get('cache-control')).toBe('no-cache');
    const others = all.filter((other) => other !== one && other.path === one.path && other.format.isPure !== false);
    for (const other of others) {
      const foreign = (await ask(other)).headers.get('etag') ?? '';
      expect((await ask(one, '', { 'if-none-match': foreign })).status).toBe(200);
    }
    for (const method of ['GET', 'HEAD']) {
      expect((await ask(one, '', { 'if-none-match': tag ?? '' }, method)).status).toBe(304);
    }
    expect((await ask(one, '', { 'if-match': '"1.x"' })).status).toBe(412);
  });

  test('has the chosen fields', async () => {
    const some = await ask(one, `${words.fields}=${words.year}`);
    if (shape === 'groups') {
      expect(some.status).toBe(400);
      return;
    }
    const whole = await ask(one);
    expect(some.status).toBe(200);
    expect(await some.text()).not.toBe(await whole.text());
    if (format.isPure === false) return;
    expect(some.headers.get('etag')).not.toBe(whole.headers.get('etag'));
    expect((await ask(one, '', { 'if-none-match': some.headers.get('etag') ?? '' })).status).toBe(200);
  });

  test('includes nested items, or says that it cannot', async () => {
    const query = `${words.include}=${words.oils}`;
    const isChild = shape !== 'groups' && format.nests;
    for (const method of ['GET', 'HEAD']) expect((await ask(one, query, {}, method)).status).toBe(isChild ? 200 : 400);
    if (isChild) expect(await (await ask(one, query)).text()).not.toBe(await (await ask(one)).text());
    else expect(await refusalOf(one, query)).toEqual([400, words.include, expect.stringContaining(words.include)]);
  });
});

test.each(ofItems.filter(({ format, tag }) => format === lines && tag === 'es'))(
  '$shape: why nothing is nested',
  async (one) => {
    const detail = '«incluir» no se puede usar con text/x-lines, que no admite elementos dentro de otros.';
    const { words } = one;
    const query = `${words.include}=${words.oils}&${words.fields}=${words.brand}`;
    expect(await refusalOf(one, query)).toEqual([400, words.include, detail]);
  },
);

const readable = ofItems.filter(({ format, shape }) => format.reading && shape === 'list');

test.each(readable)('$name in $tag is read back by its words', async ({ format, words }) => {
  const answer = await request(words.cars, { headers: { accept: format.type } });
  const file = [new Uint8Array(await answer.arrayBuffer())];
  const rows = await readAll(words.tag === 'en' ? en : es, format.name, file, cars);
  expect(rows.map(({ cells }) => cells[2])).toEqual(['Ibiza', 'León', 'Ñ']);
  expect(rows.flatMap(({ errors }) => errors)).toEqual([]);
});

/** A value of a parameter, by its kind. */
const values = ({ brand, year, oils, desc }: Words) => ({
  filter: undefined,
  range: '2000',
  field: fc.sample(fc.constantFrom(brand, year), 1)[0],
  collection: oils,
  value: desc,
  integer: '2',
  text: 'se',
  token: undefined,
});

const anyGet = fc
  .record({
    one: fc.constantFrom(...all),
    chosen: fc.array(fc.nat(), { maxLength: 4 }),
    filter: fc.constantFrom('', 'brand', 'model', 'year'),
  })
  .map(({ one, chosen, filter }) => {
    const { format, words, shape, path } = one;
    const known = words.tag === 'en' ? en : es;
    const isOfGroups = shape === 'groups';
    const fitting = listParameters(known.language, cars).filter(
      ({ name, kind }) =>
        kind !== 'filter' &&
        kind !== 'token' &&
        name !== 'group_by' &&
        (!isOfGroups || !['sort_by', 'order', 'fields', 'include'].includes(name)) &&
        (name !== 'include' || format.nests) &&
        (shape !== 'item' || ['fields', 'include'].includes(name)) &&
        !(shape === 'page' && name === 'number_of_elements'),
    );
    const query = new URLSearchParams(path.split('?')[1]);
    for (const at of chosen) {
      const parameter = fitting[at % Math.max(fitting.length, 1)];
      if (parameter) query.set(parameter.word, values(words)[parameter.kind] ?? '');
    }
    if (filter === 'model' && shape !== 'item') query.set(words.model, 'ibiza');
    if (filter === 'year' && shape !== 'item') query.set(words.year, '2008');
    const [base] = path.split('?');
    return { format, path: `${base}?${query}` };
  });

test('two equal requests with nothing written between find the same, or say that it must not be kept', () =>
  fc.assert(
    fc.asyncProperty(anyGet, async ({ format, path }) => {
      const headers = { accept: format.type };
      const { status, headers: about } = await request(path, { headers });
      expect(status).toBe(200);
      const first = await bytesOf(path, format);
      // Whatever has the time in it would be another.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
      const second = await bytesOf(path, format);
      vi.useRealTimers();
      const isKept = about.get('cache-control') !== 'no-store';
      expect(isKept).toBe(about.has('etag'));
      expect(isKept).toBe(format.isPure !== false && !path.includes('sample='));
      if (isKept) expect(second === first, path).toBe(true);
    }),
    { numRuns: runsOf(150) },
  ));

test('what differs each time is another each time', async () => {
  for (const [path, format] of [
    ['/api/cars?sample=1', lines],
    ['/api/coches?sample=1&marca=seat&marca=avila', lines],
    ['/api/cars/a', counted],
    ['/api/coches?agrupar_por=marca', counted],
  ] as const) {
    expect(await bytesOf(path, format)).not.toBe(await bytesOf(path, format));
  }
});
