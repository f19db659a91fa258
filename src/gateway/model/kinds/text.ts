import type { z } from 'zod';
import type { Field } from '../field.ts';
import { fault, type JsonSchema, type Kind, type Values } from './kind.ts';

/** Texts that stand in JSON as they are, as most do: `JSON.stringify` takes four times as long to find out. */
const PLAIN = /^[ !#-[\]-\ud7ff]*$/;

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Counts code points, but only where the number of UTF-16 units does not decide. */
export const isLengthWithin = (text: string, { min, max }: Field): boolean => {
  if (text.length <= max) return text.length >= min;
  return text.length <= 2 * max && [...text].length <= max;
};

export const storable = (zod: typeof z) => zod.string().refine(isStorable, fault('value-characters'));

/**
 * The same as patterns for documents, which the regular expressions of any language compile: without lookahead, and without
 * escapes but `\x`. Lone surrogates need no exclusion, as most languages' strings cannot have them.
 */
const STORABLE = String.raw`^[^\x00]*$`;
const NOT_BLANK = String.raw`^[^\x00]*[^\x00\s][^\x00]*$`;

export const stringOf = (pattern: string, { min, max }: Field): JsonSchema => ({
  type: 'string',
  ...(min > 0 ? { minLength: min } : {}),
  maxLength: max,
  pattern,
});

export const textValues: Values = {
  toJson: (value) => (PLAIN.test(String(value)) ? `"${value}"` : JSON.stringify(value)),
  filter: {
    parse: (sent) => sent,
    format: String,
    fault: 'parameter-encoding',
    jsonSchema: { type: 'string', pattern: STORABLE },
  },
  toText: String,
  sheet: { type: 'text' },
  fromCell: (cell) => cell,
  meant: (text) => text,
  control: 'text',
};

/** Free text, stored and returned exactly as sent. */
export const textKind: Kind = {
  column: 'TEXT',
  folded: true,
  hasRanges: false,
  expected: 'value-text',
  schema: (zod, field) => {
    const bounded = storable(zod).refine((value) => isLengthWithin(value, field), { abort: true });
    return field.required ? bounded.refine((value) => value.trim() !== '', fault('value-blank')) : bounded;
  },
  jsonSchema: (field) => stringOf(field.required ? NOT_BLANK : STORABLE, field),
  in: () => textValues,
};
