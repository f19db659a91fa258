import { describe, expect, test } from 'vitest';
import type { Field, FieldSpec } from '../../../../src/gateway/model/field.ts';
import { flag, integer, key, text } from '../../../../src/gateway/model/fields.ts';
import type { ValueWords } from '../../../../src/gateway/model/kinds/kind.ts';
import { kindOf, valueChecker } from '../../../../src/gateway/model/kinds/kinds.ts';

const field = (spec: FieldSpec): Field => ({ name: 'field', ...spec });

const fields = {
  key: field(key()),
  text: field(text({ max: 5 })),
  required: field(text({ max: 5, required: true })),
  integer: field(integer({ min: -3, max: 10 })),
  flag: field(flag()),
};
type Name = keyof typeof fields;

const words: ValueWords = {
  flags: new Map(),
  everyFlag: new Map(),
  knownFlags: '',
  decimal: '.',
  hasChosenDecimal: false,
  isDayFirst: false,
  zone: 'UTC',
  choices: { known: [], word: String, value: () => undefined, suggest: () => undefined },
};
const valuesOf = (name: Name) => kindOf(fields[name]).in(fields[name], words);

describe('a body value', () => {
  const accepted: readonly (readonly [field: Name, value: unknown, cell: string | number])[] = [
    ['key', 'seat-ibiza-1', 'seat-ibiza-1'],
    ['key', '10W/40 nº 1', '10W/40 nº 1'],
    ['key', '...', '...'],
    ['key', '🚗'.repeat(128), '🚗'.repeat(128)],
    ['text', '', ''],
    ['text', ' ', ' '],
    ['text', '🚗🚗🚗🚗🚗', '🚗🚗🚗🚗🚗'],
    ['text', 'a\r\n\u0085', 'a\r\n\u0085'],
    ['required', ' a ', ' a '],
    ['integer', -3, -3],
    ['integer', 10, 10],
    ['integer', -0, 0],
    ['flag', true, 1],
    ['flag', false, 0],
  ];
  test.each(accepted)('%s takes %j', (name, value, cell) => {
    expect(valueChecker(fields[name])(value)).toEqual({ cell, fault: undefined });
    expect(Object.is(valueChecker(fields[name])(value).cell, cell)).toBe(true);
  });

  const refused: readonly (readonly [field: Name, value: unknown, fault: string])[] = [
    ['key', '', 'value-key'],
    ['key', '.', 'value-key'],
    ['key', '..', 'value-key'],
    ['key', 'a\tb', 'value-key'],
    ['key', '🚗'.repeat(129), 'value-key'],
    ['key', 7, 'value-key'],
    ['key', '\ud83d', 'value-characters'],
    ['text', 'abcdef', 'value-text'],
    ['text', 5, 'value-text'],
    ['text', ['a'], 'value-text'],
    ['text', 'a\0', 'value-characters'],
    ['text', '\ude97a', 'value-characters'],
    ['required', '', 'value-text'],
    ['required', '\u00a0\t', 'value-blank'],
    ['integer', 11, 'value-integer'],
    ['integer', -4, 'value-integer'],
    ['integer', 5.5, 'value-integer'],
    ['integer', '5', 'value-integer'],
    ['integer', 2 ** 53, 'value-integer'],
    ['integer', true, 'value-integer'],
    ['flag', 1, 'value-flag'],
    ['flag', 'true', 'value-flag'],
  ];
  test.each(refused)('%s refuses %j', (name, value, fault) => {
    expect(valueChecker(fields[name])(value)).toEqual({ cell: undefined, fault });
  });

  test.each(['key', 'text', 'required', 'integer', 'flag'] as const)(
    '%s is not told by what was checked before',
    (name) => {
      const check = valueChecker(fields[name]);
      const values = [...accepted, ...refused].map(([, value]) => value).concat(1, '1', 0, '0', 'true', [], ['a'], {});
      const others = Array.from({ length: 1_100 }, (_, at) => `a ${at}`);
      const fresh = values.map((value) => valueChecker(fields[name])(value));
      for (let round = 0; round < 2; round++) {
        expect(values.map(check)).toEqual(fresh);
        // More than are remembered.
        for (const other of others) check(other);
        expect(values.map(check)).toEqual(fresh);
      }
    },
  );
});

describe('a filter’s text', () => {
  /** Also how it is written in an address. */
  const parsed: readonly (readonly [field: Name, text: string, value: string | number, written: string])[] = [
    ['key', 'Élan', 'Élan', 'Élan'],
    ['text', ' CITROËN', ' CITROËN', ' CITROËN'],
    ['integer', '2008', 2008, '2008'],
    ['integer', '002008', 2008, '2008'],
    ['integer', '-0', 0, '0'],
    ['integer', '99999999999999999999', 9007199254740991, '9007199254740991'],
    ['integer', '-99999999999999999999', -9007199254740991, '-9007199254740991'],
    ['integer', '9'.repeat(400), 9007199254740991, '9007199254740991'],
    ['flag', 'true', 1, 'true'],
    ['flag', 'false', 0, 'false'],
  ];
  test.each(parsed)('of a %s field, %j', (name, sent, value, written) => {
    const { parse, format } = valuesOf(name).filter;
    expect(Object.is(parse(sent), value)).toBe(true);
    expect(format(value)).toBe(written);
    expect(parse(written)).toBe(value);
  });

  const senseless: readonly (readonly [field: Name, text: string])[] = [
    ['integer', ''],
    ['integer', '5.0'],
    ['integer', '+5'],
    ['integer', ' 5'],
    ['integer', '1e3'],
    ['flag', 'True'],
    ['flag', '1'],
    ['flag', 'constructor'],
  ];
  test.each(senseless)('of a %s field is not %j', (name, sent) => {
    expect(valuesOf(name).filter.parse(sent)).toBeUndefined();
  });
});

describe('a kind', () => {
  const kept: readonly (readonly [field: Name, column: string, folded: boolean])[] = [
    ['key', 'TEXT', true],
    ['text', 'TEXT', true],
    ['integer', 'INTEGER', false],
    ['flag', 'INTEGER', false],
  ];
  test.each(kept)('%s is kept as %s, folded: %s', (name, column, folded) => {
    expect(kindOf(fields[name])).toMatchObject({ column, folded });
  });

  const written: readonly (readonly [field: Name, value: string | number, json: string])[] = [
    ['key', 'a"b', '"a\\"b"'],
    ['text', 'ñ\u2028\n', '"ñ\u2028\\n"'],
    ['integer', -3, '-3'],
    ['integer', 0, '0'],
    ['flag', 1, 'true'],
    ['flag', 0, 'false'],
  ];
  test.each(written)('%s writes %j as %s', (name, value, json) => {
    expect(valuesOf(name).toJson(value)).toBe(json);
  });

  test('text writes every character as JSON.stringify does, lone surrogates too', () => {
    const { toJson } = valuesOf('text');
    const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
    expect(units.filter((unit) => toJson(`a${unit}b`) !== JSON.stringify(`a${unit}b`))).toEqual([]);
    expect(toJson('😀')).toBe('"😀"');
  });

  const documented: readonly (readonly [field: Name, schema: object])[] = [
    ['text', { type: 'string', maxLength: 5 }],
    ['required', { type: 'string', minLength: 1, maxLength: 5 }],
    ['key', { type: 'string', minLength: 1, maxLength: 128 }],
    ['integer', { type: 'integer', minimum: -3, maximum: 10 }],
    ['flag', { type: 'boolean' }],
  ];
  test.each(documented)('%s is documented', (name, schema) => {
    expect(kindOf(fields[name]).jsonSchema(fields[name], words)).toMatchObject(schema);
  });
});
