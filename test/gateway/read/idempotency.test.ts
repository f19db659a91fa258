/** Which requests are the same: their keys, and what they ask for. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/gateway/model/field.ts';
import { createMembersReader } from '../../../src/gateway/read/body/members.ts';
import { describePayload, readIdempotencyKey } from '../../../src/gateway/read/conditions.ts';
import { Problem } from '../../../src/gateway/texts/problem.ts';
import { cars, en, es, oils } from '../../support/language/spoken.ts';

const read = (header: string): string | undefined => readIdempotencyKey(new Headers({ 'Idempotency-Key': header }));

test.each([
  ['"8e03978e-40d5-43e8-bc93-6894a57f9324"', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
  ['8e03978e-40d5-43e8-bc93-6894a57f9324', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
  ['  "a b"\t', 'a b'],
  ['" "', ' '],
  ['"\\"\\\\"', '"\\'],
  ['"a,b;c=~!"', 'a,b;c=~!'],
  ["!#$%&'*+-./:<=>?@[]^_`{|}~()", "!#$%&'*+-./:<=>?@[]^_`{|}~()"],
  ['dGVzdA==', 'dGVzdA=='],
  ['x', 'x'],
  [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
  ['x'.repeat(255), 'x'.repeat(255)],
  [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
])('%j is the key %j', (header, key) => {
  expect(read(header)).toBe(key);
});

test.each([
  ['empty', ''],
  ['an empty string', '""'],
  ['blank', '  '],
  ['one quotation mark', '"'],
  ['a string that does not end', '"a'],
  ['two strings', '"a", "b"'],
  ['two tokens', 'a, b'],
  ['a token with a parameter', 'a;b'],
  ['a string with something after it', '"a"b'],
  ['a space between', 'a b'],
  ['an escape of nothing', '"a\\b"'],
  ['an escaped end', '"a\\"'],
  ['a backslash', 'a\\b'],
  ['a tab in a string', '"a\tb"'],
  ['a letter beyond ASCII', '"ñ"'],
  ['too long a string', `"${'x'.repeat(256)}"`],
  ['too long a token', 'x'.repeat(256)],
])('a key that is %s is refused', (_, header) => {
  expect(() => read(header)).toThrow(Problem);
});

test('a request without the header has no key', () => {
  expect(readIdempotencyKey(new Headers())).toBeUndefined();
});

const text = (max: number) => fc.string({ unit: 'grapheme', maxLength: max }).map((any) => any.replaceAll('\0', ''));
/** English and Spanish words of the same members, and any values of them. */
const members = fc
  .record(
    {
      brand: text(20).map((any) => `${any}x`),
      model: text(20).map((any) => `x${any}`),
      year: fc.option(fc.integer({ min: 1886, max: 2100 })),
      doors: fc.option(fc.integer({ min: 0, max: 20 })),
      version: fc.option(text(20)),
      clima: fc.option(fc.boolean()),
      ac: fc.option(fc.boolean()),
      fuel: fc.option(text(20)),
      identifier: fc.option(fc.constantFrom('a', 'b/1', 'null')),
    },
    { requiredKeys: ['brand', 'model'] },
  )
  .map((car) => Object.entries(car));
const SPANISH: Readonly<Record<string, string>> = {
  identifier: 'identificador',
  brand: 'marca',
  model: 'modelo',
  year: 'anio',
  doors: 'puertas',
  clima: 'climatizador',
};

const english = createMembersReader(en.language, cars);
const spanish = createMembersReader(es.language, cars);

const payloadIn = (reader: typeof english, car: readonly (readonly [string, unknown])[]): string => {
  const { cells, problem } = reader(JSON.parse(JSON.stringify(Object.fromEntries(car))), 'create');
  if (problem) throw problem;
  return describePayload(cars, [], cells);
};
/** What a car is, without members that are null. */
const contentOf = (car: readonly (readonly [string, unknown])[]): string =>
  JSON.stringify(car.filter(([, value]) => value !== null).toSorted(([a], [b]) => (a < b ? -1 : 1)));

describe('what a request asks for', () => {
  const shuffled = members.chain((car) =>
    fc.tuple(fc.constant(car), fc.shuffledSubarray(car, { minLength: car.length, maxLength: car.length })),
  );

  test('is the same in every order of members and in every language', () => {
    fc.assert(
      fc.property(shuffled, ([car, reordered]) => {
        const translated = reordered.map(([word, value]) => [SPANISH[word] ?? word, value] as const);
        expect(payloadIn(spanish, translated)).toBe(payloadIn(english, car));
      }),
    );
  });

  test('differs where, and only where, the cars do', () => {
    const changed = fc.oneof(
      fc.tuple(members, members),
      shuffled,
      fc.tuple(members, fc.nat()).map(([car, at]) => {
        const place = at % car.length;
        return [
          car,
          car
            .map(([word, value], each) => [word, each === place && value !== null ? null : value] as const)
            .filter(([word, value]) => value !== null || (word !== 'brand' && word !== 'model')),
        ] as const;
      }),
    );
    fc.assert(
      fc.property(changed, ([one, other]) => {
        fc.pre(other.some(([word]) => word === 'brand') && other.some(([word]) => word === 'model'));
        expect(payloadIn(english, one) === payloadIn(english, other)).toBe(contentOf(one) === contentOf(other));
      }),
    );
  });

  test.each<readonly [string, string, readonly string[], readonly (Cell | undefined)[]]>([
    ['of another collection', 'cars', ['a'], ['5W-30', 'x']],
    ['in another parent', 'oils', ['b'], ['5W-30', 'x']],
    ['of another key', 'oils', ['a'], ['5W-40', 'x']],
    ['with another value', 'oils', ['a'], ['5W-30', 'y']],
    ['with a value in another field', 'oils', ['a'], ['5W-30x', '']],
    ['without a value', 'oils', ['a'], ['5W-30', undefined]],
    ['with an empty value', 'oils', ['a'], ['5W-30', '']],
    ['with a number for a text', 'oils', ['a'], ['5W-30', 1]],
  ])('%s is something else', (_, name, parents, cells) => {
    const { fields } = oils;
    expect(describePayload({ name, fields }, parents, cells)).not.toBe(describePayload(oils, ['a'], ['5W-30', 'x']));
  });
});
