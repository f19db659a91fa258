import { echo, type Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { type Sentence, sentence } from '../model/phrase.ts';
import { type ProblemCode, problemOf, type RequestError } from '../model/problem.ts';
import { type Direction, type Filter, parameters, type Query } from '../model/query.ts';
import { decode } from './target.ts';

/** Reads a list's query in one language. Throws one problem with all its errors. */
export type QueryReader = (search: string) => Query;

const EVERYTHING: Query = { filters: [], sort: undefined, order: undefined, size: undefined, page: undefined };

interface Sent {
  /** Values by word, both decoded, in the order in which the words first came. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly errors: RequestError[];
}

const fault = (parameter: string, code: ProblemCode, detail: Sentence, suggestion?: string): RequestError => ({
  place: { parameter: echo(parameter) },
  code,
  detail,
  suggestion,
});

/** As forms are encoded: a plus sign is a space. */
const decodeForm = (text: string): string | undefined => decode(text.replaceAll('+', ' '));

const readPairs = (search: string): Sent => {
  const values = new Map<string, string[]>();
  const errors: RequestError[] = [];
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const sentName = equals === -1 ? pair : pair.slice(0, equals);
    const word = decodeForm(sentName);
    const value = equals === -1 ? '' : decodeForm(pair.slice(equals + 1));
    if (word === undefined || value === undefined) {
      const name = word ?? sentName;
      errors.push(fault(name, 'invalid-parameter', sentence('parameter-encoding', { word: name })));
      continue;
    }
    const known = values.get(word);
    if (known) known.push(value);
    else values.set(word, [value]);
  }
  return { values, errors };
};

const unknown = (word: string, suggestion: string | undefined): RequestError =>
  fault(
    word,
    'unknown-parameter',
    suggestion === undefined
      ? sentence('parameter-unknown', { word })
      : sentence('parameter-suggested', { word, suggestion }),
    suggestion,
  );

const throwAny = (errors: readonly RequestError[]): void => {
  if (errors.length === 0) return;
  throw problemOf(errors, { code: 'invalid-query', detail: sentence('query-errors', { count: errors.length }) });
};

/** For addresses that have no parameters: throws a problem where there are any. */
export const refuseQuery = (search: string): void => {
  if (search === '') return;
  const { values, errors } = readPairs(search);
  throwAny([...errors, ...[...values.keys()].map((word) => unknown(word, undefined))]);
};

/** Beyond every end, and still exact. */
const positive = (text: string): number | undefined =>
  /^\d+$/.test(text) && Number(text) > 0 ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined;

/**
 * @param language whose words the parameters and their values are
 * @param collection whose list it is
 */
export const queryReader = (language: Language, collection: Collection): QueryReader => {
  const vocabulary = language.query(collection);
  const fieldWords = language.fields(collection);
  const { directions } = language;
  const { of } = language.nouns(collection);
  const asc = directions.word('asc');
  const desc = directions.word('desc');
  const fieldNamed = new Map(collection.fields.map((field) => [field.name, field]));

  const sortField = (word: string, value: string, errors: RequestError[]) => {
    const field = fieldNamed.get(fieldWords.name(value) ?? '');
    if (field) return field;
    const suggestion = fieldWords.suggest(value);
    const detail =
      suggestion === undefined
        ? sentence('sort-unknown', { word, value, of })
        : sentence('sort-suggested', { word, value, of, suggestion });
    errors.push(fault(word, 'invalid-parameter', detail, suggestion));
    return undefined;
  };
  const direction = (word: string, value: string, errors: RequestError[]): Direction | undefined => {
    const name = directions.name(value);
    if (name !== undefined) return name as Direction;
    const suggestion = directions.suggest(value);
    const detail =
      suggestion === undefined
        ? sentence('order-unknown', { word, value, asc, desc })
        : sentence('order-suggested', { word, value, asc, desc, suggestion });
    errors.push(fault(word, 'invalid-parameter', detail, suggestion));
    return undefined;
  };
  const count = (word: string, value: string, errors: RequestError[]): number | undefined => {
    const number = positive(value);
    if (number === undefined) errors.push(fault(word, 'invalid-parameter', sentence('parameter-positive', { word })));
    return number;
  };
  const filter = (
    word: string,
    name: string,
    values: readonly string[],
    errors: RequestError[],
  ): Filter | undefined => {
    const field = fieldNamed.get(name);
    const texts = values.filter((value) => value !== '');
    if (!field || texts.length === 0) return undefined;
    const { pattern, fault: phrase } = field.kind.filter;
    if (texts.every((text) => pattern.test(text))) return { field, texts };
    errors.push(fault(word, 'invalid-parameter', { phrase, values: { word } }));
    return undefined;
  };
  /** The value of a parameter that counts once. */
  const single = (word: string, values: readonly string[], errors: RequestError[]): string | undefined => {
    const [value = ''] = values;
    if (values.length > 1) errors.push(fault(word, 'invalid-parameter', sentence('parameter-repeated', { word })));
    else if (value === '') errors.push(fault(word, 'invalid-parameter', sentence('parameter-empty', { word })));
    else return value;
    return undefined;
  };

  return (search) => {
    if (search === '') return EVERYTHING;
    const { values, errors } = readPairs(search);
    const filters: Filter[] = [];
    let { sort, order, size, page } = EVERYTHING;
    for (const [word, sent] of values) {
      const name = vocabulary.name(word);
      if (name === undefined) {
        errors.push(unknown(word, vocabulary.suggest(word)));
      } else if (!Object.hasOwn(parameters, name)) {
        const read = filter(word, name, sent, errors);
        if (read) filters.push(read);
      } else {
        const value = single(word, sent, errors);
        if (value === undefined) continue;
        if (name === 'sort_by') sort = sortField(word, value, errors);
        else if (name === 'order') order = direction(word, value, errors);
        else if (name === 'page') page = count(word, value, errors);
        else size = count(word, value, errors);
      }
    }
    throwAny(errors);
    return { filters, sort, order, size, page };
  };
};
