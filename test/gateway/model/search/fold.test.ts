import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../../../../packages/vocabularies/src/words.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const table = [
  ['', ''],
  ['Seat', 'seat'],
  ['CITROËN', 'citroen'],
  ['Citroe\u0308n', 'citroen'],
  ['Señal', 'senal'],
  ['ÁÉÍÓÚÜÑ ¿?', 'aeiouun ¿?'],
  ['Škoda', 'skoda'],
  ['Ångström', 'angstrom'],
  ['\u212bngstro\u0308m', 'angstrom'],
  ['Straße', 'strasse'],
  ['STRASSE', 'strasse'],
  ['STRA\u1e9eE', 'strasse'],
  ['İstanbul', 'istanbul'],
  ['ISTANBUL', 'istanbul'],
  ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
  ['Σίσυφος', 'σισυφοσ'],
  ['Ёлка', 'елка'],
  ['10W/40', '10w/40'],
  ['  A  B ', '  a  b '],
  ['😀Ñ', '😀n'],
  ['\u0301', ''],
  ['漢字', '漢字'],
] as const;

test.each(table)('%j folds to %j', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test.each([
  ['ñ', 'o'],
  ['a', 'b'],
  ['5W-30', '5W-40'],
  ['a b', 'ab'],
  ['-1', '1'],
] as const)('%j and %j stay apart', (one, other) => {
  expect(fold(one)).not.toBe(fold(other));
});

/** A mark that upper case makes a letter of, so that case and accents cannot both be ignored. */
const IOTA_BELOW = '\u0345';

const hasCaseOrParts = (character: string): boolean =>
  [character.toUpperCase(), character.toLowerCase(), character.normalize('NFD')].some((form) => form !== character);

const characters: readonly string[] = Array.from({ length: 0x110000 }, (_, point) =>
  String.fromCodePoint(point),
).filter(hasCaseOrParts);

const laws = [
  ['folds to what folds no further', (text: string) => fold(fold(text)) === fold(text)],
  [
    'folds alike in upper and lower case',
    (text: string) =>
      text.normalize('NFD').includes(IOTA_BELOW) || fold(text.toUpperCase()) === fold(text.toLowerCase()),
  ],
  [
    'folds alike as it is and in upper case',
    (text: string) => text.normalize('NFD').includes(IOTA_BELOW) || fold(text.toUpperCase()) === fold(text),
  ],
  [
    'folds alike composed and decomposed',
    (text: string) => fold(text.normalize('NFC')) === fold(text.normalize('NFD')),
  ],
] as const;

const letters = fc.constantFrom(...'aAnNñÑéÉëËßẞςσΣİıIi\u0301\u0308ﬁǅ 0'.split(''));
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: anyCharacter }), fc.string({ unit: letters }));

describe.each(laws)('%s', (_, law) => {
  test('every character that has case or parts', () => {
    expect(characters.filter((character) => !law(character))).toEqual([]);
  });
  test('any text', () => {
    fc.assert(fc.property(text, law));
  });
});

test('any text folds piece by piece', () => {
  fc.assert(fc.property(text, text, (one, other) => fold(one + other) === fold(one) + fold(other)));
});
