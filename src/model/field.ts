import { z } from 'zod';
import type { PhraseName } from '../texts/phrase.ts';

/** A value as the store keeps it: text, an integer (flags are 0 and 1), or `null` where it is absent. */
export type Cell = string | number | null;

/** A JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a field's kind answers for. Nobody else tells one kind from another. */
interface Kind {
  readonly name: 'text' | 'key' | 'integer' | 'flag';
  readonly column: 'TEXT' | 'INTEGER';
  /** Whether a folded key stands beside the column, so that filters and sorts ignore case and accents. */
  readonly folded: boolean;
  /** What a body value must be, as a phrase with `{min}` and `{max}`. */
  readonly expected: PhraseName;
  /** What a filter's text must look like, the phrase for one that does not, and the schema of what it stands for. */
  readonly filter: { readonly pattern: RegExp; readonly fault: PhraseName; readonly jsonSchema: JsonSchema };
  /** The cell that a filter's text (of that pattern) stands for; `undefined` where no row can hold it. */
  readonly fromText: (text: string, field: Field) => string | number | undefined;
  /** The JSON text of a cell that is not null. */
  readonly toJson: (cell: string | number) => string;
  /** What a body value must be, as `Field.schema` checks it. */
  readonly jsonSchema: (field: Field) => JsonSchema;
}

/** One line of the schema. */
export interface Field {
  /** Canonical name, lower camel case. */
  readonly name: string;
  readonly kind: Kind;
  /** Checks a body value that is not null and makes the cell of it. */
  readonly schema: z.ZodType<string | number>;
  /** Whether it identifies an item within its collection. */
  readonly isKey: boolean;
  readonly required: boolean;
  /** Whether the service makes a key where the client sends none. */
  readonly assigned: boolean;
  /** Whether filters and sorts by it are quick at any size; each index makes every write dearer. */
  readonly indexed: boolean;
  /** Least and greatest value of an integer; least and greatest length of a text, in Unicode code points. */
  readonly min: number;
  readonly max: number;
  /** Body values of real items, for documents: the first of each field belong together, then the second, and so on. */
  readonly examples: readonly (string | number | boolean)[];
}

/** A field without its name, which is its key in the catalogue. */
export type FieldSpec = Omit<Field, 'name'>;

/** A value that was checked: its cell, or the phrase that says what is wrong with it. */
type Checked =
  | { readonly cell: string | number; readonly fault: undefined }
  | { readonly cell: undefined; readonly fault: PhraseName };

/**
 * @param field what the value is for
 * @param value any JSON value but null
 * @returns its cell, or why it cannot be: zod's issue decides, our own sentence is said
 */
export const checkValue = (field: Field, value: unknown): Checked => {
  const checked = field.schema.safeParse(value);
  if (checked.success) return { cell: checked.data, fault: undefined };
  const [issue] = checked.error.issues;
  const named: PhraseName | undefined = issue?.code === 'custom' ? issue.params?.fault : undefined;
  return { cell: undefined, fault: named ?? field.kind.expected };
};

const CONTROL = /\p{Cc}/u;

/** Where the kind's `expected` does not say why a value was refused, the issue's parameters do. */
const fault = (phrase: PhraseName) => ({ params: { fault: phrase }, abort: true });

/** Counts code points, and only where the count in UTF-16 units leaves it open. */
const lengthWithin = (text: string, min: number, max: number): boolean => {
  if (text.length <= max) return text.length >= min;
  return text.length <= 2 * max && [...text].length <= max;
};

const storable = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'), fault('value-characters'));

/**
 * The same as patterns: texts that are storable, that are also not blank, and that can be keys. They say the same with and
 * without the `u` flag, of which clients know nothing: pairs of surrogates are spelt out, properties are not used.
 */
const PAIR = '[\\ud800-\\udbff][\\udc00-\\udfff]';
const STORABLE = `^(?:[^\\u0000\\ud800-\\udfff]|${PAIR})*$`;
const NOT_BLANK = STORABLE.replace('^', '^(?=[\\s\\S]*\\S)');
const KEY = `^(?!\\.{1,2}$)(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|${PAIR})*$`;

const stringOf = (pattern: string, { min, max }: Field): JsonSchema => ({
  type: 'string',
  minLength: min,
  maxLength: max,
  pattern,
});

const textKind: Kind = {
  name: 'text',
  column: 'TEXT',
  folded: true,
  expected: 'value-text',
  filter: { pattern: /^/, fault: 'parameter-encoding', jsonSchema: { type: 'string', pattern: STORABLE } },
  fromText: (text) => text,
  toJson: (cell) => JSON.stringify(cell),
  jsonSchema: (field) => stringOf(field.required ? NOT_BLANK : STORABLE, field),
};

const keyKind: Kind = { ...textKind, name: 'key', expected: 'value-key', jsonSchema: (field) => stringOf(KEY, field) };

const integerKind: Kind = {
  name: 'integer',
  column: 'INTEGER',
  folded: false,
  expected: 'value-integer',
  filter: { pattern: /^-?\d+$/, fault: 'parameter-integer', jsonSchema: { type: 'integer' } },
  fromText: (text, { min, max }) => {
    const value = Number(text);
    return value >= min && value <= max ? value : undefined;
  },
  toJson: String,
  jsonSchema: ({ min, max }) => ({ type: 'integer', minimum: min, maximum: max }),
};

const flagKind: Kind = {
  name: 'flag',
  column: 'INTEGER',
  folded: false,
  expected: 'value-flag',
  filter: { pattern: /^(?:true|false)$/, fault: 'parameter-flag', jsonSchema: { type: 'boolean' } },
  fromText: (text) => (text === 'true' ? 1 : 0),
  toJson: (cell) => (cell === 1 ? 'true' : 'false'),
  jsonSchema: () => ({ type: 'boolean' }),
};

const base = { isKey: false, required: false, assigned: false, indexed: false, min: 0, max: 0, examples: [] };

interface KeyRule {
  readonly assigned?: boolean;
  readonly examples?: readonly string[];
}

/**
 * What identifies an item within its collection: 1–128 characters, none of them a control character, not `.` or `..`
 * (clients and proxies normalise those away in paths).
 *
 * @param rule.assigned whether the service makes one where none is sent; without it the key is required
 */
export const key = ({ assigned = false, examples = [] }: KeyRule = {}): FieldSpec => {
  const min = 1;
  const max = 128;
  const schema = storable.refine(
    (text) => lengthWithin(text, min, max) && !CONTROL.test(text) && text !== '.' && text !== '..',
  );
  return { ...base, kind: keyKind, isKey: true, required: !assigned, assigned, min, max, schema, examples };
};

/**
 * Free text, stored and returned exactly as sent. A required one must not be blank.
 *
 * @param rule.max greatest length in code points
 */
export const text = (rule: {
  max: number;
  required?: boolean;
  indexed?: boolean;
  examples?: readonly string[];
}): FieldSpec => {
  const { max, required = false } = rule;
  const min = required ? 1 : 0;
  const bounded = storable.refine((value) => lengthWithin(value, min, max), { abort: true });
  const schema = required ? bounded.refine((value) => value.trim() !== '', fault('value-blank')) : bounded;
  return { ...base, ...rule, kind: textKind, min, schema };
};

/** A whole number from `min` to `max`; `1.0` is one, `-0` is 0. */
export const integer = (rule: {
  min: number;
  max: number;
  indexed?: boolean;
  examples?: readonly number[];
}): FieldSpec => ({
  ...base,
  ...rule,
  kind: integerKind,
  schema: z
    .int()
    .min(rule.min)
    .max(rule.max)
    .overwrite((value) => value + 0),
});

/** `true` or `false`. */
export const flag = (rule: { examples?: readonly boolean[] } = {}): FieldSpec => ({
  ...base,
  ...rule,
  kind: flagKind,
  schema: z.boolean().transform(Number),
});
