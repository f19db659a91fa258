import { memoized } from '../../../util/memoized.ts';
import type { Cell } from '../field.ts';

/**
 * Folds a text so that texts which differ only in case and accents become equal: `Citroën` and `CITROEN` fold to `citroen`.
 * The same for every language, so that a filter finds the same rows in each tree. A collator would not: ñ and n are
 * different letters in Spanish, but not in English. It goes through upper case, because only that makes `ß` equal to `ss`.
 *
 * @param text any well-formed text
 * @returns its folded key; folding a key again changes nothing
 */
export const fold = (text: string): string => (ASCII.test(text) ? text.toLowerCase() : foldBeyondAscii(text));

/** @returns the cell in the form that filters, sorts and totals compare */
export const foldCell = (cell: Cell): Cell => (typeof cell === 'string' ? fold(cell) : cell);

const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}/gu;

/** Without the first step, the time would grow with the square of the marks on one letter, which `normalize` sorts. */
const bare = (text: string): string => text.replaceAll(MARKS, '').normalize('NFD').replaceAll(MARKS, '');

/** Takes some µs, and brands, models and fuels recur. */
const foldBeyondAscii = memoized((text: string): string =>
  bare(bare(bare(text).toLowerCase().toUpperCase()).toLowerCase()).replaceAll('ς', 'σ'),
);

/** UTF-16 units of the longest word that is composed: the time that it takes grows with the square of the marks on one letter. */
const LONGEST_WORD = 256;

/** @returns a word that was sent in NFC, as tables have theirs; one that is too long to be any word is returned as it is */
export const composed = (word: string): string =>
  word.length > LONGEST_WORD || ASCII.test(word) ? word : word.normalize();
