import fc from 'fast-check';
import { anyCharacter } from '../any-character.ts';
import type { Document } from './documents.ts';

const typesOf = ({ type }: Document): readonly string[] => [type].flat();

/** Half a pair of surrogates is no text in most languages, so that no schema speaks of it. */
const characters = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom('a', 'Ñ', '%', '/', '.', ' ', '\t', '\u0000', '\u0007', '\u0085', '\u2028', '😀'),
      maxLength: 4,
    }),
  )
  .map((text) => text.toWellFormed());

/** Texts of every length that may matter. */
const textsFor = ({ minLength = 0, maxLength = 20 }: Document): fc.Arbitrary<string> =>
  fc.oneof(
    characters,
    fc.constantFrom('', ' ', '.', '..', '...', '\u00a0\ufeff', 'seat', 'Citroën'),
    fc.constantFrom(minLength, maxLength, maxLength + 1).map((length) => 'x'.repeat(length)),
    fc.constantFrom(maxLength, maxLength + 1).map((length) => '😀'.repeat(length)),
  );

const numbersFor = ({ minimum = 0, maximum = 100 }: Document): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: minimum, max: maximum }),
    fc.constantFrom(minimum - 1, minimum, maximum, maximum + 1, minimum + 0.5, -0, 2 ** 53, 1e300),
  );

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, 5.5, '', '5', 'true', [], {}, [1], { a: null }),
  characters,
);

/** Values that a member or a parameter may have, and about as many that it may not. */
export const valuesFor = (schema: Document): fc.Arbitrary<unknown> => {
  const own: readonly fc.Arbitrary<unknown>[] = typesOf(schema).map((type) => {
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (type === 'string') return textsFor(schema);
    if (type === 'integer') return numbersFor(schema);
    return type === 'boolean' ? fc.boolean() : fc.constant(null);
  });
  return fc.oneof({ weight: 15, arbitrary: fc.oneof(...own) }, { weight: 2, arbitrary: anything });
};

/** Bodies for an object's schema: some of its members, seldom one that it does not have, and seldom no object at all. */
export const bodiesFor = ({ properties, required = [] }: Document): fc.Arbitrary<unknown> => {
  const members = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valuesFor(schema)]));
  const usual = fc.record(members, { requiredKeys: required });
  return fc.oneof(
    { weight: 12, arbitrary: usual },
    { weight: 1, arbitrary: fc.record(members, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.tuple(usual, fc.string()).map(([body, name]) => ({ ...body, [`${name}?`]: 1 })) },
    { weight: 1, arbitrary: anything },
  );
};
