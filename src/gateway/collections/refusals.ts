import { NO_STORE } from '../http/headers.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Outcome } from '../port/port.ts';
import { itemSentence, sentence } from '../texts/phrase.ts';
import { Problem, type RequestError } from '../texts/problem.ts';

const ITEM_CODES = { missing: 'not-found', exists: 'already-exists' } as const;

/** @returns the problem of an item that does not exist, or that exists already */
export const itemProblem = (language: Language, kind: 'missing' | 'exists', of: Collection, key: string): Problem => {
  const { the } = language.nouns(of);
  const within = of.parent && language.nouns(of.parent).within;
  return new Problem(ITEM_CODES[kind], itemSentence(kind, { the, key }, within));
};

/** @returns the problem of data that an API refuses, with the words of the fields that it named */
export const refusedBy = (
  language: Language,
  collection: Collection,
  { fields, message: upstream }: Extract<Outcome, { kind: 'refused' }>,
): Problem => {
  const { word } = language.fields(collection);
  const errors = fields.map((name): RequestError => {
    const detail = sentence('upstream-refuses-field', { word: word(name) });
    return { place: { pointer: `/${word(name)}` }, code: 'invalid-value', name, detail };
  });
  return new Problem('invalid-body', sentence('upstream-refuses', {}), { errors, upstream });
};

/** @returns the problem of a position that is not of this database, or whose changes are told no more */
export const positionGone = (word: string, Link: string): Problem =>
  new Problem('gone', sentence('position-gone', { word }), { headers: { Link, ...NO_STORE } });
