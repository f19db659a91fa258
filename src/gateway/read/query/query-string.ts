import { decode, decodeWord } from '../../http/target.ts';
import { truncate } from '../../locale/truncate.ts';
import { type Vocabulary, vocabulary } from '../../locale/vocabulary.ts';
import { type Sentence, sentence, unknownSentence } from '../../texts/phrase.ts';
import { type LazyError, problemOf, type RequestError } from '../../texts/problem.ts';
import type { Meant } from '../meant/comparison.ts';

/** The parameters of a query string. */
interface ParsedQuery {
  /** Values by word, both decoded, in the order of each word's first occurrence. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly errors: LazyError[];
}

export const isError = (piece: unknown): piece is LazyError => typeof piece === 'function';
export const isErrors = (piece: unknown): piece is readonly LazyError[] => Array.isArray(piece);

export const invalid =
  (word: string, detail: Sentence, suggestion?: string, value?: string): LazyError =>
  () => ({ place: { parameter: truncate(word) }, code: 'invalid-parameter', value, detail, suggestion });

/** A name or value of a query in form encoding, in which a plus sign is a space. */
const inForm = (text: string): string => text.replaceAll('+', ' ');

/** @param search the query, undecoded and without its question mark */
export const parseQuery = (search: string): ParsedQuery => {
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

/**
 * @param meant what was probably meant instead
 * @returns the error of an unknown parameter
 */
export const unknown = (word: string, vocabulary: Vocabulary, meant: Meant): RequestError => {
  const { name, suggestion, detail } = meant;
  const known = vocabulary.nearest(word);
  return {
    place: { parameter: truncate(word) },
    code: 'unknown-parameter',
    name,
    detail: detail ?? unknownSentence('parameter', { word, known }, suggestion),
    suggestion,
  };
};

/** Throws all errors of a query as one problem; nothing where there are none. */
export const throwAny = (errors: readonly LazyError[]): void => {
  if (errors.length === 0) return;
  throw problemOf(errors, { code: 'invalid-query', detail: sentence('query-errors', { count: errors.length }) });
};

/** Reads a parameter that may occur only once and must not be empty. */
export const readOnce = <T>(
  read: (word: string, value: string) => T | LazyError,
  word: string,
  [value = '', ...more]: readonly string[],
): T | LazyError => {
  if (more.length > 0) return invalid(word, sentence('parameter-repeated', { word }));
  return value === '' ? invalid(word, sentence('parameter-empty', { word })) : read(word, value);
};

const NONE = vocabulary({}, []);

/** Checks the query of a URL that has no parameters. @throws Problem where there are any */
export const refuseQuery = (search: string): void => {
  if (search === '') return;
  const { values, errors } = parseQuery(search);
  throwAny([
    ...errors,
    ...[...values.keys()].map((word) => () => unknown(word, NONE, { detail: sentence('parameter-none', { word }) })),
  ]);
};
