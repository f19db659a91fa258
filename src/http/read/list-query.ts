import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { type Direction, EVERYTHING, type ParameterName, parameters, type Query } from '../../model/query.ts';
import { sentence, unknownSentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { invalid, isError, readOnce, readPairs, throwAny, unknown } from './query-string.ts';

/** Reads a list's query in one language. Throws one problem with all its errors. */
export type QueryReader = (search: string) => Query;

/** Reads the value of a parameter that counts once and is not empty. */
type ParameterReader = (word: string, value: string) => Piece;

/** What one word of a query says: a piece of the whole, or an error. */
type Piece = Partial<Query> | LazyError;

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

const readFilter = (field: Field, word: string, sent: readonly string[]): Piece => {
  const { parse, fault: phrase } = kindOf(field).filter;
  const parsed = sent.filter((text) => text !== '').map(parse);
  if (parsed.includes(undefined)) return invalid(word, { phrase, values: { word } });
  const values = parsed.filter((value) => value !== undefined);
  return values.length > 0 ? { filters: [{ field, operator: 'equals', values }] } : {};
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
