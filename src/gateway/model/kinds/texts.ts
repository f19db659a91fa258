import { fold } from '../../../../packages/vocabularies/src/words.ts';
import type { Field, Value } from '../field.ts';
import { compact, LEFT_OUT } from '../query.ts';
import type { ChoiceWords, JsonSchema, Kind, ToCell, Values } from './kind.ts';

/** Counts code points, but only if the number of UTF-16 units does not decide. */
export function isLengthWithin(text: string, { min, max }: Field): boolean {
  if (text.length <= max) return text.length >= min;
  return text.length <= 2 * max && [...text].length <= max;
}

export const storable =
  (toCell: (text: string) => ReturnType<ToCell>): ToCell =>
  (value) => {
    if (typeof value !== 'string') return undefined;
    return value.isWellFormed() && !value.includes('\0') ? toCell(value) : { fault: 'value-characters' };
  };

/** Patterns for documents, without lookahead and with no escapes but `\x`, so that every language compiles them. */
const STORABLE = String.raw`^[^\x00]*$`;
const NOT_BLANK = String.raw`^[^\x00]*[^\x00\s][^\x00]*$`;

export const stringSchema = (pattern: string, { min, max }: Field): JsonSchema => ({
  type: 'string',
  ...(min > 0 ? { minLength: min } : {}),
  maxLength: max,
  pattern,
});

export const textValues: Values = {
  toJson: (value) => JSON.stringify(value),
  filter: {
    parse: (text) => text,
    format: String,
    fault: 'parameter-encoding',
    jsonSchema: { type: 'string', pattern: STORABLE },
  },
  toText: String,
  sheet: { type: 'text' },
  fromCell: (cell) => cell,
  suggest: (text) => text,
  control: 'text',
};

export const textKind: Kind = {
  column: 'TEXT',
  folded: true,
  expected: 'value-text',
  toCell: (field) =>
    storable((text) => {
      if (!isLengthWithin(text, field)) return undefined;
      return field.required && text.trim() === '' ? { fault: 'value-blank' } : text;
    }),
  jsonSchema: (field) => stringSchema(field.required ? NOT_BLANK : STORABLE, field),
  in: () => textValues,
};

export const CONTROL = /\p{Cc}/u;

export const SAFE = String.raw`[^\x00-\x1f\x7f-\x9f]`;
const NO_BLANK = String.raw`[^\s\x00-\x1f\x7f-\x9f]`;
const NO_DOT = String.raw`[^.\s\x00-\x1f\x7f-\x9f]`;
/** A pattern for texts that, trimmed, are neither empty nor `.` or `..`. Client generators make no type of `not`. */
const KEY = String.raw`^\s*(?:${NO_DOT}(?:${SAFE}*${NO_BLANK})?|\.${SAFE}*${NO_DOT}|\.${SAFE}+\.)\s*$`;

/** A pattern for keys of which something is left without what is left out: `.` and `..` are none of them. */
const COMPACT_KEY = String.raw`^${SAFE}*[^\s${LEFT_OUT.trim().replace('-', String.raw`\x2d`)}\x00-\x1f\x7f-\x9f]${SAFE}*$`;

/** A text that can stand in a path: no control characters, not `.` or `..`. Blanks at its ends are no part of it. */
export const keyKind: Kind = {
  ...textKind,
  expected: 'value-key',
  toCell: (field) =>
    storable((untrimmed) => {
      const text = untrimmed.trim();
      if (field.compact && compact(text) === '') return undefined;
      return isLengthWithin(text, field) && !CONTROL.test(text) && text !== '.' && text !== '..' ? text : undefined;
    }),
  jsonSchema: (field) => stringSchema(field.compact ? COMPACT_KEY : KEY, field),
  in: () => ({ ...textValues, filter: { ...textValues.filter, parse: (text) => text.trim() } }),
};

/** Addresses with other schemes, such as `javascript:`, do more than lead somewhere. */
const WEB = /^https?:\/\/[^\s\p{Cc}"<>\\^`{|}]+$/iu;

export const urlKind: Kind = {
  ...textKind,
  expected: 'value-url',
  toCell: (field) =>
    storable((text) => {
      if (!isLengthWithin(text, field)) return { fault: 'value-text' };
      return WEB.test(text) && URL.canParse(text) ? text : undefined;
    }),
  jsonSchema: ({ max }) => ({ type: 'string', format: 'uri', maxLength: max }),
};

/** Separates the texts of a cell: a line break, which none of them contains. */
export const LINE = '\n';
const LINES = /\r\n?|\n/;
const BETWEEN = /[,;]/;
const PATTERN = `^${SAFE}*$`;

/** Texts, stored in one, a line each, and returned exactly as sent. None at all is no value. */
export const listKind: Kind = {
  column: 'TEXT',
  folded: true,
  isList: true,
  expected: 'value-list',
  expectedInCell: 'cell-list',
  limits: ({ max, most = Infinity }) => ({ max, most }),
  toCell: ({ most = Infinity, ...field }) => {
    const toText = storable((text) => {
      if (text.trim() === '') return { fault: 'list-blank' };
      return isLengthWithin(text, field) && !CONTROL.test(text) ? text : undefined;
    });
    return (value) => {
      if (!Array.isArray(value) || value.length > most) return undefined;
      const texts = value.map(toText);
      const wrong = texts.findIndex((text) => typeof text !== 'string');
      if (wrong !== -1) return texts[wrong];
      return texts.length === 0 ? null : texts.join(LINE);
    };
  },
  jsonSchema: ({ most, ...field }) => ({ type: 'array', items: stringSchema(PATTERN, field), maxItems: most }),
  in: () => ({
    ...textValues,
    toJson: (cell) => `[${String(cell).split(LINE).map(textValues.toJson).join()}]`,
    filter: {
      parse: (text) => (CONTROL.test(text) ? undefined : text),
      format: String,
      fault: 'parameter-list',
      jsonSchema: { type: 'string', pattern: PATTERN },
    },
    fromCell: (cell) => (typeof cell === 'string' ? cell.split(LINES) : cell),
    suggest: (text) => text.split(BETWEEN).flatMap((part) => part.trim() || []),
  }),
};

/** Writes the values of a field by their words. */
function choiceValues({ word }: ChoiceWords) {
  const toText = (value: Value): string => word(String(value));
  return { ...textValues, toText, toJson: (value: Value) => textValues.toJson(toText(value)) };
}

/** One of the values that the catalogue lists, each of which has a word in each language. Stored by its name. */
export const choiceKind: Kind = {
  column: 'TEXT',
  expected: 'value-choice',
  limits: (_, { choices }) => ({ known: choices.known.join(', ') }),
  toCell: (field) => (value) => field.choices?.find((choice) => choice === value),
  jsonSchema: (_, { choices }) => ({ type: 'string', enum: choices.known }),
  in: (_, { choices }) => {
    const values = choiceValues(choices);
    return {
      ...values,
      // What is no word here must not be a name by chance.
      fromJson: (text) => (typeof text === 'string' ? choices.value(text, false) : undefined),
      filter: {
        parse: (text) => choices.value(text, true),
        format: values.toText,
        fault: 'value-choice',
        jsonSchema: { type: 'string', enum: choices.known },
      },
      fromCell: (cell) => (typeof cell === 'string' ? choices.inFile(cell.trim()) : undefined),
      suggest: (text) => {
        const value = choices.suggest(text);
        return value === undefined ? text : choices.word(value);
      },
      control: choices.known,
    };
  },
};

/** Free text, some of whose values the catalogue lists: these have a word in each language, and are stored by their names. */
export const vocabularyKind: Kind = {
  ...textKind,
  jsonSchema: (field, words) => ({ ...textKind.jsonSchema(field, words), examples: words.choices.known }),
  in: (_, { choices }) => {
    const values = choiceValues(choices);
    const { filter } = textValues;
    const parse = (text: string): string => choices.value(text, true) ?? text;
    const jsonSchema = { ...filter.jsonSchema, examples: choices.known };
    return {
      ...values,
      fromJson: (text) => (typeof text === 'string' ? parse(text) : text),
      filter: { ...filter, parse, format: values.toText, jsonSchema },
      fromCell: (cell) => (typeof cell === 'string' ? (choices.inFile(cell) ?? cell) : cell),
    };
  },
};

const parseFlag = (text: string): Value | undefined => (text === 'true' ? 1 : text === 'false' ? 0 : undefined);
const formatFlag = (value: Value): string => (value === 1 ? 'true' : 'false');
const jsonSchema = { type: 'boolean' } as const;

export const flagKind: Kind = {
  column: 'INTEGER',
  expected: 'value-flag',
  expectedInCell: 'value-choice',
  limits: (_, { knownFlags }) => ({ known: knownFlags }),
  toCell: () => (value) => (typeof value === 'boolean' ? Number(value) : undefined),
  jsonSchema: () => jsonSchema,
  in: (_, { flags, everyFlag }) => ({
    toJson: formatFlag,
    filter: { parse: parseFlag, format: formatFlag, fault: 'parameter-flag', jsonSchema },
    toText: formatFlag,
    sheet: { type: 'boolean' },
    fromCell: (cell) => (typeof cell === 'string' ? (flags.get(fold(cell.trim())) ?? cell) : cell),
    suggest: (text) => everyFlag.get(fold(text.trim())) ?? text,
    control: 'flag',
  }),
};
