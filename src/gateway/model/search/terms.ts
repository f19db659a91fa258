/**
 * Splits a text into terms, in the same way for every database: terms are what separators leave. `1.9 TDI` has the terms `1`,
 * `9` and `tdi`.
 */
import { fold } from './fold.ts';

/**
 * Ranges of code points that separate terms in a folded text: ASCII and Latin-1 without letters and digits, general and CJK
 * punctuation, and replacement characters.
 */
export const SEPARATORS: readonly (readonly [first: number, last: number])[] = [
  [0x0, 0x2f],
  [0x3a, 0x40],
  [0x5b, 0x60],
  [0x7b, 0xa9],
  [0xab, 0xb9],
  [0xbb, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x2000, 0x206f],
  [0x3000, 0x303f],
  [0xfffd, 0xffff],
];

const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

/** The separators as a character class without its brackets, for JavaScript and PostgreSQL alike. */
export const separatorClass = (from = 0): string =>
  SEPARATORS.map(([first, last]) => `${escaped(Math.max(first, from))}-${escaped(last)}`).join('');

const BETWEEN = new RegExp(`[${separatorClass()}]+`, 'u');

/** The most code points of a term that count; the rest is ignored. */
export const LONGEST = 64;

/** The most terms of a search, each of which is looked up by itself. */
export const MOST_TERMS = 16;

/** @returns the terms of a text, folded, in their order */
const splitTerms = (text: string): readonly string[] =>
  fold(text)
    .split(BETWEEN)
    .filter((term) => term !== '');

/** @returns the distinct terms of a text, folded, in order */
export const searchTerms = (text: string): readonly string[] => [
  ...new Set(splitTerms(text).map((term) => (term.length > LONGEST ? [...term].slice(0, LONGEST).join('') : term))),
];

/** @returns whether a term was truncated, so that it cannot match as a whole term */
export const isCut = (term: string): boolean => term.length >= LONGEST && [...term].length >= LONGEST;
