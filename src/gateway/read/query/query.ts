import { type Dictionary, WordIndex } from '../../../../packages/vocabularies/src/words.ts';
import { fileFormats } from '../../formats/formats.ts';
import { decode, decodeWord } from '../../http/request.ts';
import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import { EVERYTHING, type Filter, type Query } from '../../model/query.ts';
import { sentence, unknownSentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { meantParameter } from '../meant/parameter.ts';
import { fieldList, format, groupBy, include, order } from './fields.ts';
import { equals, formerParameters, ranges, rangeWords, search } from './filters.ts';
import { after, changedSince, positiveInteger, readPosition, readSince } from './paging.ts';
import { invalid, type ParameterFactory, type ParameterName, type SentValues, throwAny, unknown } from './parameter.ts';

const ofItems: readonly ParameterFactory[] = [fieldList('fields', 'fields'), include];

const parametersFrom =
  (table: readonly ParameterFactory[]): ParameterFactory =>
  (language, collection) =>
    table.flatMap((factory) => factory(language, collection));

/** The parameters of a collection's items, which its lists also have. */
export const itemParameters = parametersFrom(ofItems);

/** Every parameter of lists, in the order of documents and links: add a new one here. */
export const parameterTable: readonly ParameterFactory[] = [
  equals,
  fieldList('sort_by', 'sort'),
  order,
  positiveInteger('number_of_elements', 'size'),
  positiveInteger('page', 'page'),
  after,
  changedSince,
  format,
  ...ofItems,
  search,
  groupBy,
  // Last, because they are many: an error lists as many parameters as a sentence has room for.
  ranges,
];

/** The parameters of a collection's lists. */
export const listParameters = parametersFrom(parameterTable);

const isErrors = (result: object): result is readonly LazyError[] => Array.isArray(result);

/** A name or value of a query in form encoding, in which a plus sign is a space. */
const inForm = (text: string): string => (text.includes('+') ? text.replaceAll('+', ' ') : text);

/**
 * @param search the query, undecoded and without its question mark
 * @returns values by word, both decoded, in the order of each word's first occurrence; and errors
 */
export const parseQuery = (search: string) => {
  const values = new Map<string, string[]>();
  const errors: LazyError[] = [];
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const sentName = equals === -1 ? pair : pair.slice(0, equals);
    const word = decodeWord(inForm(sentName));
    const value = equals === -1 ? '' : decode(inForm(pair.slice(equals + 1)));
    if (word === undefined || value === undefined) {
      const name = word ?? sentName;
      errors.push(invalid(name, sentence('parameter-encoding', { word: name })));
      continue;
    }
    const known = values.get(word);
    if (known) known.push(value);
    else values.set(word, [value]);
  }
  return { values, errors };
};

const vocabularyOf = (
  parametersOf: ParameterFactory,
  language: Language,
  others: readonly Language[],
  collection: Collection,
): WordIndex => {
  const wordsOf = (each: Language): Dictionary =>
    Object.fromEntries(parametersOf(each, collection).map(({ name, word }) => [name, word]));
  const own = wordsOf(language);
  const all = [language, ...others];
  const mixed = all.flatMap((fields) => all.map((suffixes) => rangeWords(collection, fields, suffixes)));
  const known = ([name]: readonly [string, string]): boolean => Object.hasOwn(own, name);
  return new WordIndex(
    own,
    [...mixed.map((words) => Object.fromEntries(Object.entries(words).filter(known))), ...others.map(wordsOf)],
    [...language.parameters.synonyms, ...language.fields(collection).synonyms],
  );
};

/** @returns a query with the position in its token, or the parameter whose token is none of this list */
const withPosition = (collection: Collection, query: Query): Query | 'after' | 'changed_since' => {
  const { after: page, since: changes } = query;
  if (page) {
    const position = readPosition(collection, query, page.token);
    return position ? { ...query, after: { ...page, position } } : 'after';
  }
  if (!changes) return query;
  const since = readSince(collection, query, changes.token);
  return since ? { ...query, since } : 'changed_since';
};

/**
 * @param language whose words the parameters and their values are
 * @param others languages whose words get a suggestion
 * @param parametersOf makes the parameters that there are: those of lists, or of items
 * @returns a function that reads a query, and throws one problem with all its errors
 */
export const queryReader = (
  language: Language,
  others: readonly Language[],
  collection: Collection,
  parametersOf: ParameterFactory = listParameters,
): ((search: string) => Query) => {
  const parameters = new Map(
    parametersOf(language, collection).map((parameter, at) => [parameter.word, { ...parameter, at }]),
  );
  const words = vocabularyOf(parametersOf, language, others, collection);
  const ofLists = parametersOf === listParameters ? words : vocabularyOf(listParameters, language, others, collection);
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

  const former = formerParameters(language, collection);
  const renamed = (pair: string): string => {
    const [name = '', ...value] = pair.split('=');
    const found = former.get(decodeWord(inForm(name)) ?? '');
    const isKnown = found && parameters.has(found.word) && found.parts.every(language.formerLog.accepts);
    return isKnown ? [encodeURIComponent(found.word), ...value].join('=') : pair;
  };

  const read = (search: string): Query => {
    if (search === '') return EVERYTHING;
    const { values, errors } = parseQuery(search);
    const known: { readonly at: number; readonly name: string; readonly isPure?: false }[] = [];
    const filters: { readonly at: number; readonly filters: readonly Filter[] }[] = [];
    const asked = { ...EVERYTHING };
    for (const [word, sent] of values) {
      const parameter = parameters.get(word);
      if (!parameter) {
        errors.push(() => unknown(word, words, meant(word, sent, values)));
        continue;
      }
      known.push(parameter);
      const result = parameter.parse(sent, values);
      if (typeof result === 'function') errors.push(result);
      else if (isErrors(result)) errors.push(...result);
      else if (result.filters) filters.push({ at: parameter.at, filters: result.filters });
      else Object.assign(asked, result);
    }
    // The order in which a client sends parameters means nothing: from here on it is that of the table, which links have.
    const query: Query = {
      ...asked,
      filters: filters.sort((one, other) => one.at - other.at).flatMap((each) => each.filters),
      sent: known.sort((one, other) => one.at - other.at).map(({ name }) => name),
      isPure: known.every(({ isPure }) => isPure !== false),
    };
    // With an error elsewhere, what a position is bound to is not known.
    const bound = errors.length === 0 ? withPosition(collection, query) : query;
    if (typeof bound === 'string') {
      const word = language.parameters.word(bound);
      errors.push(invalid(word, sentence(`${bound}-unknown`, { word })));
    }
    if (errors.length > 0) throwAny(errors.map((error) => named(error, values)));
    return bound as Query;
  };
  return former.size === 0 ? read : (search) => read(search.split('&').map(renamed).join('&'));
};

/** @throws Problem if a query lacks a parameter, or has a format other than those of files although that is the parameter */
export function requireParameter(query: Query, language: Language, name: ParameterName): Query {
  const word = language.parameters.word(name);
  const { format: value = '' } = query;
  const isMissing = !query.sent.includes(name);
  if (!isMissing && (name !== 'format' || fileFormats.includes(value))) return query;
  const detail = isMissing
    ? sentence('field-missing', { word })
    : unknownSentence('format', { word, value, known: fileFormats.join(', ') }, undefined);
  throwAny([() => ({ ...invalid(word, detail)(), name })]);
  return query;
}

const NONE = new WordIndex({});

/** Checks the query of a URL that has no parameters. @throws Problem where there are any */
export const refuseQuery = (search: string): void => {
  if (search === '') return;
  const { values, errors } = parseQuery(search);
  throwAny([
    ...errors,
    ...[...values.keys()].map((word) => () => unknown(word, NONE, { detail: sentence('parameter-none', { word }) })),
  ]);
};
