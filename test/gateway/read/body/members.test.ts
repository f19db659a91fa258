import { expect, test } from 'vitest';
import { type Members, membersReader } from '../../../../src/gateway/read/body/members.ts';
import { cars, en, errorsOf, es, oils } from '../../../support/language/spoken.ts';

const english = membersReader(en.language, cars);
const spanish = membersReader(es.language, cars);
const spanishOils = membersReader(es.language, oils);

const NONE = undefined;
/** Cells of a car of which nothing was sent but these, by place. */
const car = (cells: Readonly<Record<number, string | number | null>>) =>
  Array.from({ length: 10 }, (_, at) => (at in cells ? cells[at] : NONE));

/** A body, what it is for, and the cells in it. */
const read = [
  [english, { brand: 'Seat', model: 'Ibiza' }, 'create', car({ 1: 'Seat', 2: 'Ibiza' })],
  [spanish, { modelo: 'Ibiza', marca: 'Seat' }, 'create', car({ 1: 'Seat', 2: 'Ibiza' })],
  [spanish, { identificador: 'a/1', marca: ' x ', modelo: 'á' }, 'create', car({ 0: 'a/1', 1: ' x ', 2: 'á' })],
  [english, { identifier: null, brand: 'a', model: 'b' }, 'create', car({ 0: null, 1: 'a', 2: 'b' })],
  [english, { brand: 'a', model: 'b', year: null }, 'create', car({ 1: 'a', 2: 'b', 3: null })],
  [english, {}, 'update', car({})],
  [english, { year: 2008 }, 'update', car({ 3: 2008 })],
  [english, { year: 2008.0, doors: -0 }, 'update', car({ 3: 2008, 4: 0 })],
  [spanish, { climatizador: true, ac: false }, 'update', car({ 7: 1, 8: 0 })],
  [spanish, { anio: null, version: '', fuel: null }, 'update', car({ 3: null, 6: '', 9: null })],
  [spanish, { identificador: 'otro' }, 'update', car({ 0: 'otro' })],
  [spanishOils, { tipo: '5W-30' }, 'create', ['5W-30', NONE]],
  [spanishOils, { otros_datos: null }, 'update', [NONE, null]],
] as const;

test.each(read)('%# %j to %s', (reader, body, purpose, expected) => {
  expect(reader(body, purpose)).toEqual({ cells: expected, problem: undefined } satisfies Members);
});

/** A body, what it is for, and its errors: the pointer, what is said of it, and the word to use instead. */
const refused = [
  [english, [], 'create', [['', 'body-not-object']]],
  [english, null, 'update', [['', 'body-not-object']]],
  [english, 'x', 'update', [['', 'body-not-object']]],
  [
    spanish,
    { brand: 'Seat', puertas: '5' },
    'update',
    [
      ['/brand', 'field-suggested', 'marca'],
      ['/puertas', 'value-integer', '5'],
    ],
  ],
  [english, { colour: 1 }, 'update', [['/colour', 'field-unknown']]],
  [english, { 'a/b~c': 1 }, 'update', [['/a~1b~0c', 'field-unknown']]],
  [english, JSON.parse('{"__proto__": 1}'), 'update', [['/__proto__', 'field-unknown']]],
  [spanish, { Marca: 'x' }, 'update', [['/Marca', 'field-suggested', 'marca']]],
  [
    spanish,
    {},
    'create',
    [
      ['/marca', 'field-missing'],
      ['/modelo', 'field-missing'],
    ],
  ],
  [spanishOils, {}, 'create', [['/tipo', 'field-missing']]],
  [spanishOils, { tipo: null }, 'create', [['/tipo', 'field-missing']]],
  [spanishOils, { tipo: null }, 'update', [['/tipo', 'key-null']]],
  [english, { brand: null }, 'update', [['/brand', 'field-null']]],
  [english, { identifier: null }, 'update', [['/identifier', 'key-null']]],
  [english, { brand: '' }, 'update', [['/brand', 'value-text']]],
  [english, { brand: ' \t' }, 'update', [['/brand', 'value-blank']]],
  [english, { brand: 'x'.repeat(201) }, 'update', [['/brand', 'value-text']]],
  [english, { fuel: 'a\0' }, 'update', [['/fuel', 'value-characters']]],
  [english, { fuel: '\ud800' }, 'update', [['/fuel', 'value-characters']]],
  [english, { identifier: '..' }, 'update', [['/identifier', 'value-key']]],
  [english, { identifier: 'a\n' }, 'update', [['/identifier', 'value-key']]],
  [english, { year: '2008' }, 'update', [['/year', 'value-integer', '2008']]],
  [english, { year: 2008.5 }, 'update', [['/year', 'value-integer']]],
  [english, { year: 1885 }, 'update', [['/year', 'value-integer']]],
  [english, { doors: 21 }, 'update', [['/doors', 'value-integer']]],
  [english, { ac: 1 }, 'update', [['/ac', 'value-flag', 'true']]],
  [spanish, { climatizador: 'true' }, 'update', [['/climatizador', 'value-flag', 'true']]],
] as const;

test.each(refused)('in vain: %# %j to %s', (reader, body, purpose, expected) => {
  const { problem } = reader(body, purpose);
  expect(problem && errorsOf(problem)).toEqual(expected);
  expect(problem?.code).toBe(expected.length > 1 ? 'invalid-body' : problem?.errors[0]?.code);
});
