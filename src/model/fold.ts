import type { Cell } from './field.ts';

/**
 * The key under which texts are equal when case and accents do not count: `Citroën` and `CITROEN` both fold to `citroen`.
 * One neutral way for every language, so that a filter finds the same rows in each tree (a collator would not: Spanish
 * tells ñ from n, English does not). By way of upper case, because only that joins `ß` with `ss`.
 *
 * @param text any well-formed text
 * @returns its folded key; folding a key again changes nothing
 */
export const fold = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : bare(bare(bare(text).toLowerCase().toUpperCase()).toLowerCase()).replaceAll('ς', 'σ');

/** @returns the cell as filters, sorts and totals compare it */
export const foldCell = (cell: Cell): Cell => (typeof cell === 'string' ? fold(cell) : cell);

const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}/gu;

const bare = (text: string): string => text.normalize('NFD').replaceAll(MARKS, '');
