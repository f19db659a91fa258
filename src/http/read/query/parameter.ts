import type { Language } from '../../../locale/language.ts';
import type { Collection } from '../../../model/catalogue.ts';
import type { JsonSchema } from '../../../model/kinds/kind.ts';
import type { Query } from '../../../model/query.ts';
import type { TextName } from '../../../texts/document-text.ts';
import type { LazyError } from '../../../texts/problem.ts';
import { readOnce } from './query-string.ts';

/** What a parameter says: a piece of the whole query, or errors. */
type Piece = Partial<Query> | LazyError | readonly LazyError[];

/** All that was sent, by word. */
type Sent = ReadonlyMap<string, readonly string[]>;

/** One parameter of a list's query, in one language. Everything that knows of it follows from here. */
interface ListParameter {
  /** The same in every language. */
  readonly name: string;
  readonly word: string;
  /**
   * What its values are: a filter's, one end of a range, words of fields, of nested collections or of directions, whole numbers
   * from 1, free text, or alike in all languages.
   */
  readonly kind: 'filter' | 'range' | 'field' | 'collection' | 'value' | 'integer' | 'text' | 'token';
  /**
   * @param values all that were sent, in their order, at least one
   * @param sent the values of all parameters, for what one says of another
   */
  readonly parse: (values: readonly string[], sent: Sent) => Piece;
  /** Writes what `parse` reads; nothing where a query says nothing of it. */
  readonly format: (query: Query) => readonly string[];
  readonly schema: JsonSchema;
  /** What documents say of it, and the word of the field that they say it of. */
  readonly text: TextName;
  readonly field?: string;
}

/** Makes the parameters of a collection's lists. */
export type Entry = (language: Language, collection: Collection) => readonly ListParameter[];

export const NOTHING: readonly string[] = [];

/** A parameter that counts once and is not empty. */
export const once =
  (word: string, parse: (value: string, sent: Sent) => Piece) => (values: readonly string[], sent: Sent) =>
    readOnce((_, value) => parse(value, sent), word, values);
