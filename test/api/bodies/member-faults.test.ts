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

/** What is said of a value, in each language. */
const text = (min: string, max: string) => ({
  english: (word: string) => `“${word}” must be text, ${min} to ${max} characters long.`,
  spanish: (word: string) => `«${word}» debe ser un texto de entre ${min} y ${max.replace(',', '\u{a0}')} caracteres.`,
});
const integer = (min: string, max: string) => ({
  english: (word: string) => `“${word}” must be a whole number from ${min} to ${max}.`,
  spanish: (word: string) => `«${word}» debe ser un número entero entre ${min} y ${max.replace(',', '\u{a0}')}.`,
});
const flag = {
  english: (word: string) => `“${word}” must be “true” or “false”, without quotation marks.`,
  spanish: (word: string) => `«${word}» debe ser «true» o «false», sin comillas.`,
};
const key = {
  english: (word: string) =>
    `“${word}” must be text, 1 to 128 characters long, with no control characters, and not “.” or “..”.`,
  spanish: (word: string) =>
    `«${word}» debe ser un texto de entre 1 y 128 caracteres, sin caracteres de control y distinto de «.» y de «..».`,
};
const blank = {
  english: (word: string) => `“${word}” must not be blank.`,
  spanish: (word: string) => `«${word}» no puede estar en blanco.`,
};
const invalid = {
  english: (word: string) => `“${word}” contains U+0000 or an unpaired surrogate, neither of which is valid text.`,
  spanish: (word: string) =>
    `«${word}» contiene el carácter U+0000 o un sustituto UTF-16 sin pareja, y ninguno de los dos es texto válido.`,
};

const faults = [
  { field: 'year', ...integer('1886', '2100'), values: ['1885', '2101', '-2000', '0', ...noIntegers, ...unsafe] },
  { field: 'doors', ...integer('0', '20'), values: ['-1', '21', '0.5', ...noIntegers, ...unsafe] },
  { field: 'enginePower', ...integer('0', '10,000'), values: ['-1', '10001', '10000.5', ...noIntegers, ...unsafe] },
  { field: 'brand', ...text('1', '200'), values: ['""', ...noTexts, ...tooLong] },
  { field: 'brand', ...blank, values: ['" "', '"\\t\\n"', '"\u00a0\u2003\u3000"'] },
  { field: 'brand', ...invalid, values: notText },
  { field: 'model', ...text('1', '200'), values: ['""', ...noTexts, ...tooLong] },
  { field: 'model', ...blank, values: ['" "', '"   "'] },
  { field: 'version', ...text('0', '200'), values: [...noTexts, ...tooLong] },
  { field: 'version', ...invalid, values: notText },
  { field: 'fuel', ...text('0', '200'), values: [...noTexts, ...tooLong] },
  { field: 'clima', ...flag, values: noFlags },
  { field: 'ac', ...flag, values: noFlags },
  { field: 'identifier', ...key, values: noKeys },
  { field: 'identifier', ...invalid, values: notText },
] as const;

const oilFaults = [
  { field: 'type', ...key, values: noKeys },
  { field: 'type', ...invalid, values: notText },
  {
    ...({ field: 'otherInfo', ...text('0', '10,000') } as const),
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
    await expectOneFault('POST', cars, bodyWith(base, tree[field], value), tree[field], row[say](tree[field]));
    await expectOneFault('PUT', `${cars}/there`, bodyWith({}, tree[field], value), tree[field], row[say](tree[field]));
    expect((await send('GET', cars)).headers.get('x-total-count')).toBe('1');
  });

  test.each(each(oilFaults))('refuses $title as $field of an oil', async (row) => {
    const { field, value } = row;
    await expectOneFault(
      'POST',
      oils,
      bodyWith({ [tree.type]: 'T' }, tree[field], value),
      tree[field],
      row[say](tree[field]),
    );
    await expectOneFault('PUT', `${oils}/there`, bodyWith({}, tree[field], value), tree[field], row[say](tree[field]));
    expect((await send('GET', oils)).json).toEqual([{ [tree.type]: 'there' }]);
  });
});
