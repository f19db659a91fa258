import { describe, expect, test } from 'vitest';
import type { Field, FieldSpec } from '../../../../src/gateway/model/field.ts';
import { flag, integer, key, text } from '../../../../src/gateway/model/fields.ts';
import type { ValueWords } from '../../../../src/gateway/model/kinds/kind.ts';
import { getKind, valueChecker } from '../../../../src/gateway/model/kinds/kinds.ts';

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
  choices: { known: [], word: String, value: () => undefined, inFile: () => undefined, suggest: () => undefined },
};
const valuesOf = (name: Name) => getKind(fields[name]).in(fields[name], words);

describe('a body value', () => {
  test.each(['key', 'text', 'required', 'integer', 'flag'] as const)(
    '%s is not told by what was checked before',
    (name) => {
      const check = valueChecker(fields[name]);
      const values = ['a', '🚗🚗🚗', '', '\ud83d', -3, 11, 5.5, true, 1, '1', 0, '0', 'true', [], ['a'], {}];
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

describe('a kind', () => {
  test('text writes every character as JSON.stringify does, lone surrogates too', () => {
    const { toJson } = valuesOf('text');
    const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
    expect(units.filter((unit) => toJson(`a${unit}b`) !== JSON.stringify(`a${unit}b`))).toEqual([]);
    expect(toJson('😀')).toBe('"😀"');
  });
});
