/** What a search finds, and which of it comes first. */
import type { Collection } from './catalogue.ts';
import type { Field } from './field.ts';
import { isCut, wordsOf } from './words.ts';

/** The texts that are searched: those that every item has, which count more, and the rest. */
export interface Searched {
  readonly main: readonly Field[];
  readonly rest: readonly Field[];
}

/** @returns `undefined` where nothing of a collection is searched */
export const searchedIn = ({ fields }: Collection): Searched | undefined => {
  const searchable = fields.filter((field) => field.searchable);
  if (searchable.length === 0) return undefined;
  return {
    main: searchable.filter(({ required }) => required),
    rest: searchable.filter(({ required }) => !required),
  };
};

/** How all words of a search are found: as whole words or as beginnings, in the main texts or in any. */
export interface Rank {
  readonly isWhole: boolean;
  readonly isMain: boolean;
}

/** Best first. What has one rank may have another, too: the first of them counts. */
export const RANKS: readonly Rank[] = [
  { isWhole: true, isMain: true },
  { isWhole: true, isMain: false },
  { isWhole: false, isMain: true },
  { isWhole: false, isMain: false },
];

const has = (words: readonly string[], wanted: string, isWhole: boolean): boolean =>
  words.some((word) => (isWhole && !isCut(wanted) ? word === wanted : word.startsWith(wanted)));

/**
 * @param wanted words
 * @param main the main texts, folded
 * @param rest the other texts
 * @returns the place of an item's first rank, from 1; 0 where it is not found
 */
export const rankOf = (wanted: readonly string[], main: string, rest: string): number => {
  const [ofMain, ofRest] = [wordsOf(main), wordsOf(rest)];
  const all = [...ofMain, ...ofRest];
  return (
    1 + RANKS.findIndex(({ isWhole, isMain }) => wanted.every((word) => has(isMain ? ofMain : all, word, isWhole)))
  );
};
