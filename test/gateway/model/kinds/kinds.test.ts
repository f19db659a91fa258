import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Field, FieldSpec } from '../../../../src/gateway/model/field.ts';
import { flag, integer, key, list, text } from '../../../../src/gateway/model/fields.ts';
import type { ValueWords } from '../../../../src/gateway/model/kinds/kind.ts';
import { createChecker, createValueChecker, getKind } from '../../../../src/gateway/model/kinds/kinds.ts';

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

test.each(['key', 'text', 'required', 'integer', 'flag'] as const)(
  'a body value %s is not told by what was checked before',
  (name) => {
    const check = createValueChecker(fields[name]);
    const values = ['a', '🚗🚗🚗', '', '\ud83d', -3, 11, 5.5, true, 1, '1', 0, '0', 'true', [], ['a'], {}];
    const others = Array.from({ length: 1_100 }, (_, at) => `a ${at}`);
    const fresh = values.map((value) => createValueChecker(fields[name])(value));
    for (let round = 0; round < 2; round++) {
      expect(values.map(check)).toEqual(fresh);
      // More than are remembered.
      for (const other of others) check(other);
      expect(values.map(check)).toEqual(fresh);
    }
  },
);

test('the kind text writes every character as JSON.stringify does, lone surrogates too', () => {
  const { toJson } = valuesOf('text');
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
  expect(units.filter((unit) => toJson(`a${unit}b`) !== JSON.stringify(`a${unit}b`))).toEqual([]);
  expect(toJson('😀')).toBe('"😀"');
});

test('any list that is accepted is returned as it was sent, in JSON and from the cell of a file', () => {
  const field = { name: 'extras', ...list({ max: 5, most: 3 }) };
  const values = getKind(field).in(field, words);
  const check = createChecker(field, values);
  const texts = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'É', ' ', '"', '\\', ',', '%', '😀', '\n', '\r', '\0') }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(texts, (sent) => {
      const isValid =
        sent.length <= 3 && sent.every((text) => text.trim() !== '' && [...text].length <= 5 && !/[\n\r\0]/.test(text));
      const { cell } = check(sent);
      expect(typeof cell === 'string').toBe(isValid);
      if (typeof cell !== 'string') return;
      expect(JSON.parse(values.toJson(cell))).toEqual(sent);
      expect(values.fromCell(values.toText(cell).replaceAll('\n', '\r\n'))).toEqual(sent);
    }),
  );
});
