import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { en, es, quoted, short } from '../../support/app/trees.ts';

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'there', brand: 'Seat', model: 'Ibiza' }],
    ['/api/cars/there/oils', { type: 'there' }],
  ],
});

const noIntegers = ['"5"', '""', 'true', 'false', '[]', '[5]', '{}', '5.5', '1e400', '-1e400'];
const unsafe = ['9007199254740992', '9007199254740993', '-9007199254740993', '1e30'];
const noTexts = ['5', '0', 'true', 'false', '[]', '["x"]', '{}'];
const noFlags = ['0', '1', '"true"', '"false"', '""', '[]', '{}'];
const notText = ['"\\ud800"', '"\\udfff"', '"a\\ud83d"', '"\\ude00\\ud83d"', '"\\u0000"', '"a\\u0000b"'];
const tooLong = [quoted('x'.repeat(201)), quoted('😀'.repeat(201)), quoted('e\u0301'.repeat(101))];
const noKeys = [
  ...noTexts,
  '""',
  '"."',
  '".."',
  '"\\u0001"',
  '"a\\tb"',
  '"\\n"',
  '"\\u007f"',
  '"\\u0085"',
  '"\\u009f"',
  quoted('x'.repeat(129)),
  quoted('😀'.repeat(129)),
];

/** A field's word and what is said in each language of each of the values. */
const faults = [
  {
    field: 'year',
    english: '“year” must be a whole number from 1886 to 2100.',
    spanish: '«anio» debe ser un número entero entre 1886 y 2100.',
    values: ['1885', '2101', '-2000', '0', ...noIntegers, ...unsafe],
  },
  {
    field: 'doors',
    english: '“doors” must be a whole number from 0 to 20.',
    spanish: '«puertas» debe ser un número entero entre 0 y 20.',
    values: ['-1', '21', '0.5', ...noIntegers, ...unsafe],
  },
  {
    field: 'enginePower',
    english: '“enginePower” must be a whole number from 0 to 10,000.',
    spanish: '«cilindrada» debe ser un número entero entre 0 y 10\u{a0}000.',
    values: ['-1', '10001', '10000.5', ...noIntegers, ...unsafe],
  },
  {
    field: 'brand',
    english: '“brand” must be text, 1 to 200 characters long.',
    spanish: '«marca» debe ser un texto de entre 1 y 200 caracteres.',
    values: ['""', ...noTexts, ...tooLong],
  },
  {
    field: 'brand',
    english: '“brand” must not be blank.',
    spanish: '«marca» no puede estar en blanco.',
    values: ['" "', '"\\t\\n"', '"\u00a0\u2003\u3000"'],
  },
  {
    field: 'brand',
    english: '“brand” contains U+0000 or an unpaired surrogate, neither of which is valid text.',
    spanish:
      '«marca» contiene el carácter U+0000 o un sustituto UTF-16 sin pareja, y ninguno de los dos es texto válido.',
    values: notText,
  },
  {
    field: 'model',
    english: '“model” must be text, 1 to 200 characters long.',
    spanish: '«modelo» debe ser un texto de entre 1 y 200 caracteres.',
    values: ['""', ...noTexts, ...tooLong],
  },
  {
    field: 'model',
    english: '“model” must not be blank.',
    spanish: '«modelo» no puede estar en blanco.',
    values: ['" "', '"   "'],
  },
  {
    field: 'version',
    english: '“version” must be text, 0 to 200 characters long.',
    spanish: '«version» debe ser un texto de entre 0 y 200 caracteres.',
    values: [...noTexts, ...tooLong],
  },
  {
    field: 'version',
    english: '“version” contains U+0000 or an unpaired surrogate, neither of which is valid text.',
    spanish:
      '«version» contiene el carácter U+0000 o un sustituto UTF-16 sin pareja, y ninguno de los dos es texto válido.',
    values: notText,
  },
  {
    field: 'fuel',
    english: '“fuel” must be text, 0 to 200 characters long.',
    spanish: '«fuel» debe ser un texto de entre 0 y 200 caracteres.',
    values: [...noTexts, ...tooLong],
  },
  {
    field: 'clima',
    english: '“clima” must be “true” or “false”, without quotation marks.',
    spanish: '«climatizador» debe ser «true» o «false», sin comillas.',
    values: noFlags,
  },
  {
    field: 'ac',
    english: '“ac” must be “true” or “false”, without quotation marks.',
    spanish: '«ac» debe ser «true» o «false», sin comillas.',
    values: noFlags,
  },
  {
    field: 'identifier',
    english: '“identifier” must be text, 1 to 128 characters long, with no control characters, and not “.” or “..”.',
    spanish:
      '«identificador» debe ser un texto de entre 1 y 128 caracteres, sin caracteres de control y distinto de «.» y de «..».',
    values: noKeys,
  },
  {
    field: 'identifier',
    english: '“identifier” contains U+0000 or an unpaired surrogate, neither of which is valid text.',
    spanish:
      '«identificador» contiene el carácter U+0000 o un sustituto UTF-16 sin pareja, y ninguno de los dos es texto válido.',
    values: notText,
  },
] as const;

const oilFaults = [
  {
    field: 'type',
    english: '“type” must be text, 1 to 128 characters long, with no control characters, and not “.” or “..”.',
    spanish:
      '«tipo» debe ser un texto de entre 1 y 128 caracteres, sin caracteres de control y distinto de «.» y de «..».',
    values: noKeys,
  },
  {
    field: 'type',
    english: '“type” contains U+0000 or an unpaired surrogate, neither of which is valid text.',
    spanish:
      '«tipo» contiene el carácter U+0000 o un sustituto UTF-16 sin pareja, y ninguno de los dos es texto válido.',
    values: notText,
  },
  {
    field: 'otherInfo',
    english: '“otherInfo” must be text, 0 to 10,000 characters long.',
    spanish: '«otros_datos» debe ser un texto de entre 0 y 10\u{a0}000 caracteres.',
    values: [...noTexts, quoted('x'.repeat(10_001)), quoted('😀'.repeat(10_001))],
  },
] as const;

const each = <F extends { readonly values: readonly string[] }>(rows: readonly F[]) =>
  rows.flatMap((row) => row.values.map((value) => ({ ...row, value, title: short(value) })));

const languages = [
  { tree: en, say: 'english', cars: '/api/cars', oils: '/api/cars/there/oils', base: { brand: 'B', model: 'M' } },
  {
    tree: es,
    say: 'spanish',
    cars: '/api/coches',
    oils: '/api/coches/there/aceites',
    base: { marca: 'B', modelo: 'M' },
  },
] as const;

const expectOneFault = async (method: string, path: string, body: string, word: string, detail: string) => {
  const { status, json } = await send(method, path, body);
  expect([status, json.code, json.detail]).toEqual([400, 'invalid-value', detail]);
  expect(json.errors).toMatchObject([{ pointer: `/${word}`, code: 'invalid-value', detail }]);
};

/** Spelled by hand where the value must reach the service in one certain spelling. */
const bodyWith = (base: Readonly<Record<string, string>>, word: string, value: string): string => {
  const others = Object.entries(base).filter(([name]) => name !== word);
  return `{${[...others.map(([name, text]) => `"${name}":${quoted(text)}`), `"${word}":${value}`].join(',')}}`;
};

describe.each(languages)('$cars', ({ tree, say, cars, oils, base }) => {
  test.each(each(faults))('refuses $title as $field of a car', async (row) => {
    const { field, value } = row;
    await expectOneFault('POST', cars, bodyWith(base, tree[field], value), tree[field], row[say]);
    await expectOneFault('PUT', `${cars}/there`, bodyWith({}, tree[field], value), tree[field], row[say]);
    expect((await send('GET', cars)).headers.get('x-total-count')).toBe('1');
  });

  test.each(each(oilFaults))('refuses $title as $field of an oil', async (row) => {
    const { field, value } = row;
    await expectOneFault('POST', oils, bodyWith({ [tree.type]: 'T' }, tree[field], value), tree[field], row[say]);
    await expectOneFault('PUT', `${oils}/there`, bodyWith({}, tree[field], value), tree[field], row[say]);
    expect((await send('GET', oils)).json).toEqual([{ [tree.type]: 'there' }]);
  });
});
