/** The ranks of a search's results. */
import type { Collection } from '../catalogue.ts';
import type { Field } from '../field.ts';
import { isCut, searchTerms } from './terms.ts';

/** The texts that are searched: main texts, which every item has and which rank higher, and the rest. */
export interface Searched {
  readonly main: readonly Field[];
  readonly rest: readonly Field[];
}

/** @returns `undefined` where a collection has no searchable texts */
export const searchedIn = ({ fields }: Collection): Searched | undefined => {
  const searchable = fields.filter((field) => field.searchable);
  if (searchable.length === 0) return undefined;
  return {
    main: searchable.filter(({ required }) => required),
    rest: searchable.filter(({ required }) => !required),
  };
};

/** How the terms of a search are matched: as whole terms or as beginnings, in the main texts or in any. */
export interface Rank {
  readonly isWhole: boolean;
  readonly isMain: boolean;
}

/** Best first. An item may have several ranks; the first counts. */
export const RANKS: readonly Rank[] = [
  { isWhole: true, isMain: true },
  { isWhole: true, isMain: false },
  { isWhole: false, isMain: true },
  { isWhole: false, isMain: false },
];

const has = (terms: readonly string[], wanted: string, isWhole: boolean): boolean =>
  terms.some((term) => (isWhole && !isCut(wanted) ? term === wanted : term.startsWith(wanted)));

/**
 * @param wanted terms
 * @param main the main texts, folded
 * @param rest the other texts
 * @returns the number of an item's first rank, from 1; 0 where it does not match
 */
export const rankOf = (wanted: readonly string[], main: string, rest: string): number => {
  const [ofMain, ofRest] = [searchTerms(main), searchTerms(rest)];
  const all = [...ofMain, ...ofRest];
  return (
    1 + RANKS.findIndex(({ isWhole, isMain }) => wanted.every((term) => has(isMain ? ofMain : all, term, isWhole)))
  );
};
