import { echo, type Language } from '../locale/language.ts';
import type { Vocabulary } from '../locale/vocabulary.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import { type Sentence, sentence, unknownSentence } from '../model/phrase.ts';
import { type LazyError, problemOf } from '../model/problem.ts';
import { type Direction, type ParameterName, parameters, type Query } from '../model/query.ts';
import { decode } from './target.ts';

/** Reads a list's query in one language. Throws one problem with all its errors. */
export type QueryReader = (search: string) => Query;

/** Reads the value of a parameter that counts once and is not empty. */
type ParameterReader = (word: string, value: string) => Piece;

const EVERYTHING: Query = { filters: [], sort: undefined, order: undefined, size: undefined, page: undefined };

interface Sent {
  /** Values by word, both decoded, in the order in which the words first came. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly errors: LazyError[];
}

/** What one word of a query says: a piece of the whole, or an error. */
type Piece = Partial<Query> | LazyError;

const isError = (piece: Piece): piece is LazyError => typeof piece === 'function';

const invalid =
  (word: string, detail: Sentence, suggestion?: string): LazyError =>
  () => ({ place: { parameter: echo(word) }, code: 'invalid-parameter', detail, suggestion });

/** As forms are encoded: a plus sign is a space. */
const decodeForm = (text: string): string | undefined => decode(text.replaceAll('+', ' '));

const readPairs = (search: string): Sent => {
  const values = new Map<string, string[]>();
  const errors: LazyError[] = [];
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const sentName = equals === -1 ? pair : pair.slice(0, equals);
    const word = decodeForm(sentName);
    const value = equals === -1 ? '' : decodeForm(pair.slice(equals + 1));
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

/** @param vocabulary where the word that was meant may be found; none where there are no parameters */
const unknown =
  (word: string, vocabulary?: Vocabulary): LazyError =>
  () => {
    const suggestion = vocabulary?.suggest(word);
    const detail = unknownSentence('parameter', { word }, suggestion);
    return { place: { parameter: echo(word) }, code: 'unknown-parameter', detail, suggestion };
  };

const throwAny = (errors: readonly LazyError[]): void => {
  if (errors.length === 0) return;
  throw problemOf(errors, { code: 'invalid-query', detail: sentence('query-errors', { count: errors.length }) });
};

/** For addresses that have no parameters: throws a problem where there are any. */
export const refuseQuery = (search: string): void => {
  if (search === '') return;
  const { values, errors } = readPairs(search);
  throwAny([...errors, ...[...values.keys()].map((word) => unknown(word))]);
};

const counting =
  (piece: (count: number) => Partial<Query>): ParameterReader =>
  (word, value) =>
    /^\d+$/.test(value) && Number(value) > 0
      ? // Beyond every end, and still exact.
        piece(Math.min(Number(value), Number.MAX_SAFE_INTEGER))
      : invalid(word, sentence('parameter-positive', { word }));

const parameterReaders = (
  language: Language,
  collection: Collection,
): Readonly<Record<ParameterName, ParameterReader>> => {
  const fields = language.fields(collection);
  const { directions } = language;
  const { of } = language.nouns(collection);
  const both = { asc: directions.word('asc'), desc: directions.word('desc') };
  return {
    sort_by: (word, value) => {
      const name = fields.name(value);
      const sort = collection.fields.find((field) => field.name === name);
      if (sort) return { sort };
      const suggestion = fields.suggest(value);
      return invalid(word, unknownSentence('sort', { word, value, of }, suggestion), suggestion);
    },
    order: (word, value) => {
      const name = directions.name(value);
      if (name !== undefined) return { order: name as Direction };
      const suggestion = directions.suggest(value);
      return invalid(word, unknownSentence('order', { word, value, ...both }, suggestion), suggestion);
    },
    number_of_elements: counting((size) => ({ size })),
    page: counting((page) => ({ page })),
  };
};

const readFilter = (field: Field, word: string, values: readonly string[]): Piece => {
  const texts = values.filter((value) => value !== '');
  const { pattern, fault: phrase } = field.kind.filter;
  if (!texts.every((text) => pattern.test(text))) return invalid(word, { phrase, values: { word } });
  return texts.length > 0 ? { filters: [{ field, texts }] } : {};
};

const readOnce = (read: ParameterReader, word: string, [value = '', ...more]: readonly string[]): Piece => {
  if (more.length > 0) return invalid(word, sentence('parameter-repeated', { word }));
  return value === '' ? invalid(word, sentence('parameter-empty', { word })) : read(word, value);
};

const isParameter = (name: string): name is ParameterName => Object.hasOwn(parameters, name);

/**
 * @param language whose words the parameters and their values are
 * @param collection whose list it is
 */
export const queryReader = (language: Language, collection: Collection): QueryReader => {
  const vocabulary = language.query(collection);
  const readers = parameterReaders(language, collection);

  const read = (word: string, values: readonly string[]): Piece => {
    const name = vocabulary.name(word);
    if (name !== undefined && isParameter(name)) return readOnce(readers[name], word, values);
    const field = collection.fields.find((each) => each.name === name);
    return field ? readFilter(field, word, values) : unknown(word, vocabulary);
  };

  return (search) => {
    if (search === '') return EVERYTHING;
    const { values, errors } = readPairs(search);
    const pieces = [...values].map(([word, sent]) => read(word, sent));
    throwAny([...errors, ...pieces.filter(isError)]);
    const parts = pieces.flatMap((piece) => (isError(piece) ? [] : [piece]));
    return Object.assign({}, EVERYTHING, ...parts, { filters: parts.flatMap(({ filters = [] }) => filters) });
  };
};
