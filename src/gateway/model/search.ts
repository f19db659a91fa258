import { fold } from '../../../packages/vocabularies/src/words.ts';
import type { Collection } from './catalogue.ts';
import type { Field } from './field.ts';

export { fold };

/** Code points that separate terms in a folded text: what is no letter or digit up to Latin-1, and punctuation. */
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

const escapeCode = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

/** The separators as a character class without its brackets, for JavaScript and PostgreSQL alike. */
export const separatorClass = (from = 0): string =>
  SEPARATORS.map(([first, last]) => `${escapeCode(Math.max(first, from))}-${escapeCode(last)}`).join('');

const BETWEEN = new RegExp(`[${separatorClass()}]+`, 'u');

/** The most code points of a term that count; the rest is ignored. */
export const LONGEST = 64;

/** The most terms of a search, each of which is looked up by itself. */
export const MOST_TERMS = 16;

export function searchTerms(text: string): readonly string[] {
  const terms = fold(text).split(BETWEEN);
  const short = terms.map((term) => (term.length > LONGEST ? [...term].slice(0, LONGEST).join('') : term));
  return [...new Set(short)].filter((term) => term !== '');
}

export const isCut = (term: string): boolean => term.length >= LONGEST && [...term].length >= LONGEST;

export interface Searched {
  readonly main: readonly Field[];
  readonly rest: readonly Field[];
}

export function findSearchedFields({ fields }: Collection): Searched | undefined {
  const searchable = fields.filter((field) => field.searchable);
  if (searchable.length === 0) return undefined;
  return {
    main: searchable.filter(({ required }) => required),
    rest: searchable.filter(({ required }) => !required),
  };
}

export interface Rank {
  readonly isWhole: boolean;
  readonly isMain: boolean;
}

/** The ranks, best first: the first one that fits an item counts. */
export const RANKS: readonly Rank[] = [
  { isWhole: true, isMain: true },
  { isWhole: true, isMain: false },
  { isWhole: false, isMain: true },
  { isWhole: false, isMain: false },
];

/** @returns the number of the first rank of an item with these folded texts, from 1; 0 if it does not match */
export function findRank(wanted: readonly string[], main: string, rest: string): number {
  const [ofMain, ofRest] = [searchTerms(main), searchTerms(rest)];
  const all = [...ofMain, ...ofRest];
  const at = RANKS.findIndex(({ isWhole, isMain }) =>
    wanted.every((word) =>
      (isMain ? ofMain : all).some((term) => (isWhole && !isCut(word) ? term === word : term.startsWith(word))),
    ),
  );
  return at + 1;
}
