/**
 * The words of a text, cut in one way for every database: a word is what is left between separators. `1.9 TDI` has the
 * words `1`, `9` and `tdi`.
 */
import { fold } from './fold.ts';

/**
 * First and last code points of what separates words in a folded text: ASCII and Latin-1 without letters and digits, the
 * punctuation of all scripts and of Chinese, Japanese and Korean, and what stands for characters that there are not.
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

/** The separators as what stands between the brackets of a regular expression, alike in JavaScript and PostgreSQL. */
export const separatorClass = (from = 0): string =>
  SEPARATORS.map(([first, last]) => `${escaped(Math.max(first, from))}-${escaped(last)}`).join('');

const BETWEEN = new RegExp(`[${separatorClass()}]+`, 'u');

/** Code points of a word that are looked at; the rest of a longer one is as if it were not there. */
export const LONGEST = 64;

/** The most words of one search: each is looked up by itself. */
export const MOST_WORDS = 16;

/** @returns the words of a text, folded, in their order */
export const wholeWordsOf = (text: string): readonly string[] =>
  fold(text)
    .split(BETWEEN)
    .filter((word) => word !== '');

/** @returns the different words of a text, folded, in their order */
export const wordsOf = (text: string): readonly string[] => [
  ...new Set(wholeWordsOf(text).map((word) => (word.length > LONGEST ? [...word].slice(0, LONGEST).join('') : word))),
];

/** @returns whether a word that is searched for was cut, so that no word is known to be the whole of it */
export const isCut = (word: string): boolean => word.length >= LONGEST && [...word].length >= LONGEST;
