import type { JsonSchema } from '../../model/kinds/kind.ts';
import { sentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { invalid } from './query-string.ts';

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
