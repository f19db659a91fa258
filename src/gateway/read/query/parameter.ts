import type { WordIndex } from '../../../../packages/vocabularies/src/words.ts';
import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { JsonSchema } from '../../model/kinds/kind.ts';
import type { parameters, Query } from '../../model/query.ts';
import { type DocumentText, type Sentence, sentence, truncate, unknownSentence } from '../../texts/phrase.ts';
import { combineErrors, type LazyError, type Problem, type RequestError } from '../../texts/problem.ts';
import type { SentValues, Suggestion } from './suggestions.ts';

export type ParameterName = (typeof parameters)[number];

type ParseResult = Partial<Query> | LazyError | readonly LazyError[];

/** One parameter of a list's query, in one language. Reading, links, documents and dictionaries all derive from it. */
export interface ListParameter {
  /** The canonical name, which no language changes. */
  readonly name: string;
  readonly word: string;
  /**
   * The kind of its values: of a filter, one end of a range, words of fields, of what is included or of directions, whole
   * numbers from 1, free text, or a value that is the same in all languages.
   */
  readonly kind: 'filter' | 'range' | 'field' | 'collection' | 'value' | 'integer' | 'text' | 'token';
  /**
   * What it decides. What has an order or pages of its own refuses those that decide others: positions that of pages and groups,
   * changes and events also that of the order, groups that of the order and of the members.
   */
  readonly decides: 'rows' | 'order' | 'size' | 'page' | 'position' | 'changes' | 'groups' | 'members' | 'format';
  /** Set to `false` if equal requests may get different answers although nothing was written, as for a random sample. */
  readonly isPure?: false;
  /**
   * @param values all that were sent, in their order, at least one
   * @param sent the values of all parameters, for those that depend on each other
   */
  readonly parse: (values: readonly string[], sent: SentValues) => ParseResult;
  /** Reverses `parse` for a query in which the parameter was sent. @returns `undefined` if its values have no effect */
  readonly format: (query: Query) => readonly string[] | undefined;
  readonly schema: JsonSchema;
  /** The description in documents, and the word of the field that it mentions. */
  readonly text: DocumentText;
  readonly field?: string;
}

export type ParameterFactory = (language: Language, collection: Collection) => readonly ListParameter[];

/** Creates the reader of a parameter that must not be repeated or empty. */
export const parseOnce =
  <T>(word: string, read: (value: string, sent: SentValues) => T) =>
  (values: readonly string[], sent: SentValues): T | LazyError => {
    if (values.length > 1) return invalid(word, sentence('parameter-repeated', { word }));
    const [value = ''] = values;
    return value === '' ? invalid(word, sentence('parameter-empty', { word })) : read(value, sent);
  };

interface OwnParameter extends Pick<ListParameter, 'kind' | 'decides' | 'isPure' | 'format' | 'schema'> {
  readonly parse: (value: string, sent: SentValues) => ParseResult;
}

/** @returns a list with one parameter, whose word is not a field's, and which may occur only once */
export function createParameter({ parameters }: Language, name: ParameterName, { parse, ...rest }: OwnParameter) {
  const word = parameters.word(name);
  return [{ ...rest, name, word, parse: parseOnce(word, parse), text: `parameter-${name}` }] as const;
}

export const invalid =
  (word: string, detail: Sentence, suggestion?: string, value?: string): LazyError =>
  () => ({ place: { parameter: truncate(word) }, code: 'invalid-parameter', value, detail, suggestion });

export function unknown(word: string, vocabulary: WordIndex, suggested: Suggestion): RequestError {
  const { name, suggestion, detail } = suggested;
  const nearestWords = vocabulary.nearest(word);
  return {
    place: { parameter: truncate(word) },
    code: 'unknown-parameter',
    name,
    detail: detail ?? unknownSentence('parameter', { word, known: nearestWords }, suggestion),
    suggestion,
  };
}

export const queryProblem = (errors: readonly LazyError[]): Problem =>
  combineErrors(errors, { code: 'invalid-query', detail: sentence('query-errors', { count: errors.length }) });

export function throwErrors(errors: readonly LazyError[]): void {
  if (errors.length > 0) throw queryProblem(errors);
}
