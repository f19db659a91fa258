import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { JsonSchema } from '../../model/kinds/kind.ts';
import type { Query } from '../../model/query.ts';
import { sentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import type { DocumentText } from '../../texts/shown-text.ts';
import { invalid, readOnce } from './query-string.ts';

/** The result of a parameter: part of the query, or errors. */
type ParseResult = Partial<Query> | LazyError | readonly LazyError[];

/** All values that were sent, by word. */
export type SentValues = ReadonlyMap<string, readonly string[]>;

/** One parameter of a list's query, in one language. Reading, links, documents and dictionaries all derive from it. */
interface ListParameter {
  /** The same in every language. */
  readonly name: string;
  readonly word: string;
  /**
   * The kind of its values: of a filter, one end of a range, words of fields, of nested collections or of directions, whole
   * numbers from 1, free text, or a value that is the same in all languages.
   */
  readonly kind: 'filter' | 'range' | 'field' | 'collection' | 'value' | 'integer' | 'text' | 'token';
  /** Whether a query with it finds the same until something is written; a sample of the items, say, does not. */
  readonly isPure: boolean;
  /**
   * @param values all that were sent, in their order, at least one
   * @param sent the values of all parameters, for those that depend on each other
   */
  readonly parse: (values: readonly string[], sent: SentValues) => ParseResult;
  /** The reverse of `parse`; empty where the query does not use the parameter. */
  readonly format: (query: Query) => readonly string[];
  readonly schema: JsonSchema;
  /** Its description in documents, and the word of the field that this mentions. */
  readonly text: DocumentText;
  readonly field?: string;
}

/** Makes the parameters of a collection's lists. */
export type ParameterFactory = (language: Language, collection: Collection) => readonly ListParameter[];

export const NOTHING: readonly string[] = [];

/** A parameter that may occur only once and must not be empty. */
export const once =
  (word: string, parse: (value: string, sent: SentValues) => ParseResult) =>
  (values: readonly string[], sent: SentValues) =>
    readOnce((_, value) => parse(value, sent), word, values);

/** Separates the values of one parameter; no word contains it. */
export const COMMA = ',';

/**
 * Reads each of several values.
 *
 * @param nameOf finds the name of a value
 * @param unknown makes the error of an unknown value
 */
export const readCommaSeparated = (
  word: string,
  value: string,
  nameOf: (part: string) => string | undefined,
  unknown: (part: string) => LazyError,
): { readonly names: readonly string[]; readonly errors: readonly LazyError[] } => {
  const parts = value.split(COMMA);
  if (parts.includes('')) return { names: [], errors: [invalid(word, sentence('list-empty', { word }))] };
  const read = parts.map((part) => ({ part, name: nameOf(part) }));
  return {
    names: read.flatMap(({ name }) => name ?? []),
    errors: read.flatMap(({ part, name }) => (name === undefined ? unknown(part) : [])),
  };
};

/** @returns an error for each value that occurs more than once */
export const repeated = (word: string, values: readonly string[]): readonly LazyError[] =>
  [...new Set(values.filter((value, at) => values.indexOf(value) < at))].map((value) =>
    invalid(word, sentence('list-repeated', { word, value })),
  );

/** @returns a schema of one value, or of several */
export const oneOrMore = (schema: JsonSchema): JsonSchema => ({
  anyOf: [schema, { type: 'array', items: schema, minItems: 1 }],
});
