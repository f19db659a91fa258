import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { en, es, quoted, short } from '../../support/app/trees.ts';

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'there', brand: 'Seat', model: 'Ibiza' }],
    ['/api/cars/there/oils', { type: 'there' }],
  ],
});

const beyondBmp = '😀';

/** JSON text, so that spellings of one value can be told apart. */
type Members = Readonly<Record<string, string>>;
const object = (members: Members): string =>
  `{${Object.entries(members)
    .map(([word, value]) => `${quoted(word)}:${value}`)
    .join(',')}}`;

const cars = [
  { tree: en, other: es, list: '/api/cars', least: { brand: '"B"', model: '"M"' }, otherList: '/api/coches' },
  { tree: es, other: en, list: '/api/coches', least: { marca: '"B"', modelo: '"M"' }, otherList: '/api/cars' },
] as const;
const oils = [
  { tree: en, other: es, list: '/api/cars/there/oils', otherList: '/api/coches/there/aceites' },
  { tree: es, other: en, list: '/api/coches/there/aceites', otherList: '/api/cars/there/oils' },
] as const;

type Name = keyof typeof en;

const withoutChange = (field: Name, ...values: readonly string[]) =>
  values.map((value) => ({ field, value, kept: value, title: short(value) }));
const rewritten = (field: Name, value: string, kept: string) => ({ field, value, kept, title: value });

const acceptedInCars = [
  ...withoutChange('brand', '"x"', quoted('x'.repeat(200)), quoted(beyondBmp.repeat(200)), '" Seat "', '"a\\nb"'),
  ...withoutChange('model', '"x"', quoted('x'.repeat(200)), quoted(beyondBmp.repeat(200)), '"\u200b"', '"600 \\u0001"'),
  ...withoutChange('year', '1886', '1887', '2099', '2100'),
  ...withoutChange('doors', '0', '1', '19', '20'),
  ...withoutChange('enginePower', '0', '1', '9999', '10000'),
  ...withoutChange('version', '""', '" "', quoted('x'.repeat(200)), quoted(beyondBmp.repeat(200)), '"A\\\\B\\"C"'),
  ...withoutChange('clima', 'true', 'false'),
  ...withoutChange('ac', 'true', 'false'),
  ...withoutChange('fuel', '""', '"Diésel"', '"Die\u0301sel"', quoted('x'.repeat(200)), '"$& {word} «»"'),
  rewritten('year', '2008.0', '2008'),
  rewritten('year', '2.008e3', '2008'),
  rewritten('doors', '-0', '0'),
  rewritten('doors', '-0.0', '0'),
  rewritten('doors', '1.0', '1'),
  rewritten('brand', '"Citro\\u00ebn"', '"Citroën"'),
  rewritten('brand', '"\\ud83d\\ude00"', '"😀"'),
];

const acceptedKeys = [
  'x',
  'a b',
  '...',
  'a/b',
  'ñ',
  'n\u0303',
  '\u200b',
  '\u00ad',
  '%2F',
  'null',
  'oils',
  'x'.repeat(128),
  beyondBmp.repeat(128),
].map((key) => ({ key, title: short(quoted(key)) }));

/** One member of a written item, whatever stands beside it. */
const expectMember = (text: string, word: string, value: string): void =>
  expect(text.replace(/\}$/, ',')).toContain(`${quoted(word)}:${value},`);

describe.each(cars)('a car in $list', ({ tree, other, list, otherList, least }) => {
  test.each(acceptedInCars)('may have the $field $title, and both trees keep it', async ({ field, value, kept }) => {
    const created = await send('POST', list, object({ ...least, [tree[field]]: value }));
    expect(created.status).toBe(201);
    expectMember(created.text, tree[field], kept);
    const key: string = created.json[tree.identifier];
    expectMember((await send('GET', `${otherList}/${key}`)).text, other[field], kept);
    const changed = await send('PUT', `${list}/there`, object({ [tree[field]]: value }));
    expect(changed.status).toBe(200);
    expectMember(changed.text, tree[field], kept);
  });
});

describe.each(oils)('an oil in $list', ({ tree, other, list, otherList }) => {
  test.each(acceptedKeys)('may have the key $title', async ({ key }) => {
    const created = await send('POST', list, object({ [tree.type]: quoted(key) }));
    expect([created.status, created.text]).toEqual([201, object({ [tree.type]: quoted(key) })]);
    expect((await send('DELETE', `${otherList}/${encodeURIComponent(key)}`)).status).toBe(204);
  });

  test.each(['', ' ', 'x'.repeat(10_000), beyondBmp.repeat(10_000)])('may have any text as its notes', async (text) => {
    const changed = await send('PUT', `${list}/there`, { [tree.otherInfo]: text });
    expect([changed.status, changed.json]).toEqual([200, { [tree.type]: 'there', [tree.otherInfo]: text }]);
    expect((await send('GET', `${otherList}/there`)).json[other.otherInfo]).toBe(text);
  });
});
