import type { z } from 'zod';
import type { Field, KindName, Value } from '../field.ts';
import { fold } from '../search/fold.ts';
import { fault, type JsonSchema, type Kind } from './kind.ts';

const CONTROL = /\p{Cc}/u;

/** Texts that stand in JSON as they are, as most do: `JSON.stringify` takes four times as long to find out. */
const PLAIN = /^[ !#-[\]-\ud7ff]*$/;

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Counts code points, but only where the number of UTF-16 units does not decide. */
const isLengthWithin = (text: string, { min, max }: Field): boolean => {
  if (text.length <= max) return text.length >= min;
  return text.length <= 2 * max && [...text].length <= max;
};

const storable = (zod: typeof z) => zod.string().refine(isStorable, fault('value-characters'));

/**
 * The same as patterns for documents, which the regular expressions of any language compile: without lookahead, and without
 * escapes but `\x`. Lone surrogates need no exclusion, as most languages' strings cannot have them.
 */
const STORABLE = String.raw`^[^\x00]*$`;
const NOT_BLANK = String.raw`^[^\x00]*[^\x00\s][^\x00]*$`;
/** A character of a key, and one that is not a dot. */
const SAFE = String.raw`[^\x00-\x1f\x7f-\x9f]`;
const NO_DOT = String.raw`[^.\x00-\x1f\x7f-\x9f]`;
/** As a pattern, `.` and `..` are what neither of these is; generators make no type of `not`. */
const KEY = String.raw`^(?:\.{0,2}${NO_DOT}${SAFE}*|\.{3}${SAFE}*)$`;

const stringOf = (pattern: string, { min, max }: Field): JsonSchema => ({
  type: 'string',
  ...(min > 0 ? { minLength: min } : {}),
  maxLength: max,
  pattern,
});

/** Free text, stored and returned exactly as sent. */
const textKind: Kind = {
  column: 'TEXT',
  folded: true,
  expected: 'value-text',
  schema: (zod, field) => {
    const bounded = storable(zod).refine((value) => isLengthWithin(value, field), { abort: true });
    return field.required ? bounded.refine((value) => value.trim() !== '', fault('value-blank')) : bounded;
  },
  jsonSchema: (field) => stringOf(field.required ? NOT_BLANK : STORABLE, field),
  fromCell: (cell) => cell,
  filter: {
    parse: (sent) => sent,
    format: String,
    fault: 'parameter-encoding',
    jsonSchema: { type: 'string', pattern: STORABLE },
  },
  sheetType: 'text',
  hasRanges: false,
  toJson: (value) => (PLAIN.test(String(value)) ? `"${value}"` : JSON.stringify(value)),
};

/** A text that can stand in a path: no control characters, not `.` or `..`. */
const keyKind: Kind = {
  ...textKind,
  expected: 'value-key',
  schema: (zod, field) =>
    storable(zod).refine(
      (value) => isLengthWithin(value, field) && !CONTROL.test(value) && value !== '.' && value !== '..',
    ),
  jsonSchema: (field) => stringOf(KEY, field),
};

const WHOLE = /^-?\d+$/;
/** As spreadsheet programs write it. Three zeros are not accepted: they may mean thousands. */
const WHOLE_CELL = /^([+-]?\d+)(?:[.,]0{1,2})?$/;

/** Numbers beyond 2^53 become the greatest exact one, which is still outside every field's limits. */
const bounded = (value: number): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value)) + 0;

/** A whole number within the field's limits; `1.0` is one, `-0` is 0. */
const integerKind: Kind = {
  column: 'INTEGER',
  folded: false,
  expected: 'value-integer',
  schema: (zod, { min, max }) =>
    zod
      .int()
      .min(min)
      .max(max)
      .overwrite((value) => value + 0),
  jsonSchema: ({ min, max }) => ({ type: 'integer', format: 'int32', minimum: min, maximum: max }),
  fromCell: (cell) => {
    const [, digits] = (typeof cell === 'string' && WHOLE_CELL.exec(cell.trim())) || [];
    return digits === undefined ? cell : Number(digits);
  },
  filter: {
    parse: (sent) => (WHOLE.test(sent) ? bounded(Number(sent)) : undefined),
    format: String,
    fault: 'parameter-integer',
    jsonSchema: { type: 'integer' },
  },
  sheetType: 'number',
  hasRanges: true,
  toJson: String,
};

const FLAGS: ReadonlyMap<string, Value> = new Map([
  ['true', 1],
  ['false', 0],
]);

const formatFlag = (value: Value): string => (value === 1 ? 'true' : 'false');

/** `true` or `false`, stored as 1 and 0. */
const flagKind: Kind = {
  column: 'INTEGER',
  folded: false,
  expected: 'value-flag',
  expectedInCell: 'cell-flag',
  schema: (zod) => zod.boolean().transform(Number),
  jsonSchema: () => ({ type: 'boolean' }),
  fromCell: (cell, flags) => (typeof cell === 'string' ? (flags.get(fold(cell.trim())) ?? cell) : cell),
  filter: {
    parse: (sent) => FLAGS.get(sent),
    format: formatFlag,
    fault: 'parameter-flag',
    jsonSchema: { type: 'boolean' },
  },
  sheetType: 'boolean',
  hasRanges: false,
  toJson: formatFlag,
};

/** The one table of kinds. A new kind is a name in `field.ts` and an entry here. */
const kinds: Readonly<Record<KindName, Kind>> = { key: keyKind, text: textKind, integer: integerKind, flag: flagKind };
export const kindNames = Object.keys(kinds);

export const kindOf = ({ kind }: Field): Kind => kinds[kind];
