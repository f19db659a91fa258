import type { Language } from '../../locale/language.ts';
import type { Dictionary } from '../../locale/table.ts';
import { type Vocabulary, vocabulary } from '../../locale/vocabulary.ts';
import type { Collection } from '../../model/catalogue.ts';
import { EVERYTHING, type Filter, type Query } from '../../model/query.ts';
import { sentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { meantParameter } from '../meant/parameter.ts';
import { rangeWords } from './filters.ts';
import { itemParameters, listParameters } from './list-parameters.ts';
import { readPosition } from './paging.ts';
import type { ParameterFactory, SentValues } from './parameter.ts';
import { invalid, isError, isErrors, parseQuery, throwAny, unknown } from './query-string.ts';

/** Reads the query of a list, or of an item, in one language. Throws one problem with all its errors. */
export type QueryReader = (search: string) => Query;

const vocabularyOf = (
  parametersOf: ParameterFactory,
  language: Language,
  others: readonly Language[],
  collection: Collection,
): Vocabulary => {
  const wordsOf = (each: Language): Dictionary =>
    Object.fromEntries(parametersOf(each, collection).map(({ name, word }) => [name, word]));
  const own = wordsOf(language);
  const all = [language, ...others];
  const mixed = all.flatMap((fields) => all.map((suffixes) => rangeWords(collection, fields, suffixes)));
  const known = ([name]: readonly [string, string]): boolean => Object.hasOwn(own, name);
  return vocabulary(
    own,
    [...mixed.map((words) => Object.fromEntries(Object.entries(words).filter(known))), ...others.map(wordsOf)],
    [...language.parameters.synonyms, ...language.fields(collection).synonyms],
  );
};

const readerOf = (
  parametersOf: ParameterFactory,
  language: Language,
  others: readonly Language[],
  collection: Collection,
): QueryReader => {
  const parameters = new Map(parametersOf(language, collection).map((each) => [each.word, each]));
  const words = vocabularyOf(parametersOf, language, others, collection);
  const isOfLists = parametersOf === listParameters;
  const ofLists = isOfLists ? words : vocabularyOf(listParameters, language, others, collection);
  const meant = meantParameter(language, collection, words, ofLists);
  /** Adds what programs need to know: the name of the parameter, and the value that was sent. */
  const named =
    (error: LazyError, values: SentValues): LazyError =>
    () => {
      const found = error();
      const word = 'parameter' in found.place ? found.place.parameter : '';
      const sent = values.get(word) ?? [];
      const name = found.name ?? parameters.get(word)?.name;
      return { ...found, name, value: found.value ?? (sent.length === 1 ? sent[0] : undefined) };
    };

  return (search) => {
    if (search === '') return EVERYTHING;
    const { values, errors } = parseQuery(search);
    const query: Query = { ...EVERYTHING };
    const filters: Filter[] = [];
    for (const [word, sent] of values) {
      const result =
        parameters.get(word)?.parse(sent, values) ?? (() => unknown(word, words, meant(word, sent, values)));
      if (isError(result)) errors.push(result);
      else if (isErrors(result)) errors.push(...result);
      else {
        Object.assign(query, result);
        if (result.filters) filters.push(...result.filters);
      }
    }
    const isPure = [...values.keys()].every((word) => parameters.get(word)?.isPure);
    const whole = { ...query, filters, isPure };
    const { token } = whole.after ?? {};
    const position = token === undefined ? undefined : readPosition(collection, whole, token);
    // With an error elsewhere, what it is bound to is not known.
    if (token !== undefined && !position && errors.length === 0) {
      const word = language.parameters.word('after');
      errors.push(invalid(word, sentence('after-unknown', { word })));
    }
    if (errors.length > 0) throwAny(errors.map((error) => named(error, values)));
    return token !== undefined && position ? { ...whole, after: { token, position } } : whole;
  };
};

/**
 * @param language whose words the parameters and their values are
 * @param others languages whose words get a suggestion
 */
export const queryReader = (language: Language, others: readonly Language[], collection: Collection): QueryReader =>
  readerOf(listParameters, language, others, collection);

/** The same for the query of an item. */
export const itemQueryReader = (language: Language, others: readonly Language[], collection: Collection): QueryReader =>
  readerOf(itemParameters, language, others, collection);
