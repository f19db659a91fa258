import { NO_STORE } from '../http/headers.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { itemSentence, sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';

const ITEM_CODES = { missing: 'not-found', exists: 'already-exists' } as const;

/** @returns the problem of an item that does not exist, or that exists already */
export const itemProblem = (language: Language, kind: 'missing' | 'exists', of: Collection, key: string): Problem => {
  const { the } = language.nouns(of);
  const within = of.parent && language.nouns(of.parent).within;
  return new Problem(ITEM_CODES[kind], itemSentence(kind, { the, key }, within));
};

/** @returns the problem of a position that is not of this database, or whose changes are told no more */
export const positionGone = (word: string, Link: string): Problem =>
  new Problem('gone', sentence('position-gone', { word }), { headers: { Link, ...NO_STORE } });
