import { expect } from 'vitest';
import { fold } from '../../../packages/vocabularies/src/words.ts';
import { searchTerms } from '../../../src/gateway/model/search.ts';

/** Code points that may stand between two letters: one in `step` of those that most texts have, and in `beyond` of the others. */
export const codesBetween = (step: number, beyond: number): readonly number[] =>
  Array.from({ length: 0x10ffff }, (_, at) => at + 1).filter((code) => {
    if (code < 0x300 || (code > 0xff00 && code < 0x10000) || code % 0x10000 > 0xfff0) return true;
    return (code < 0xd800 || code > 0xdfff) && code % (code < 0x3200 ? step : beyond) === 0;
  });

export const textWith = (code: number): string => fold(`q${String.fromCodePoint(code)}z`);

/** @param wordsOf the words that an index has of a text */
export const expectTerms = (
  codes: readonly number[],
  wordsOf: (code: number) => readonly string[] | undefined,
): void => {
  const joined = (words: readonly string[] = []): string => words.toSorted().join(' ');
  const wrong = codes.filter((code) => joined(searchTerms(textWith(code))) !== joined(wordsOf(code)));
  expect(wrong.map((code) => code.toString(16))).toEqual([]);
};
