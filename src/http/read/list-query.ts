import type { Language } from '../../locale/language.ts';
import { type Vocabulary, vocabulary } from '../../locale/vocabulary.ts';
import type { Collection } from '../../model/catalogue.ts';
import { EVERYTHING, type Query } from '../../model/query.ts';
import { listParameters, rangeWords } from './list-parameters.ts';
import { isError, readPairs, throwAny, unknown } from './query-string.ts';

/** Reads a list's query in one language. Throws one problem with all its errors. */
export type QueryReader = (search: string) => Query;

const wordsOf = (language: Language, collection: Collection): Readonly<Record<string, string>> =>
  Object.fromEntries(listParameters(language, collection).map(({ name, word }) => [name, word]));

const vocabularyOf = (language: Language, others: readonly Language[], collection: Collection): Vocabulary => {
  const all = [language, ...others];
  const mixed = all.flatMap((fields) => all.map((suffixes) => rangeWords(collection, fields, suffixes)));
  return vocabulary(wordsOf(language, collection), [...mixed, ...others.map((other) => wordsOf(other, collection))]);
};

/**
 * @param language whose words the parameters and their values are
 * @param others whose words are told the right one
 * @param collection whose list it is
 */
export const queryReader = (language: Language, others: readonly Language[], collection: Collection): QueryReader => {
  const parameters = new Map(listParameters(language, collection).map((each) => [each.word, each]));
  const words = vocabularyOf(language, others, collection);

  return (search) => {
    if (search === '') return EVERYTHING;
    const { values, errors } = readPairs(search);
    const pieces = [...values].flatMap(
      ([word, sent]) => parameters.get(word)?.parse(sent, values) ?? unknown(word, words),
    );
    throwAny([...errors, ...pieces.filter(isError)]);
    const parts = pieces.flatMap((piece) => (isError(piece) ? [] : [piece]));
    return Object.assign({}, EVERYTHING, ...parts, { filters: parts.flatMap(({ filters = [] }) => filters) });
  };
};
