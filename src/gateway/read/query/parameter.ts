import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { JsonSchema } from '../../model/kinds/kind.ts';
import type { Query } from '../../model/query.ts';
import type { TextName } from '../../texts/document-text.ts';
import type { LazyError } from '../../texts/problem.ts';
import { readOnce } from './query-string.ts';

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
  readonly text: TextName;
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
