/** Converts values between JSON as it is there and cells, exactly or not at all. */
import type { Cell, Field, Value } from '../../../gateway/model/field.ts';
import { valueChecker } from '../../../gateway/model/kinds/check-value.ts';
import type { ValueWords } from '../../../gateway/model/kinds/kind.ts';
import { kindOf } from '../../../gateway/model/kinds/kinds.ts';
import { badGateway } from './faults.ts';

/** How a value is written there, where that is not how its kind is written here. */
export const jsonTypes = ['string', 'number', 'boolean'] as const;
export type JsonType = (typeof jsonTypes)[number];

/** A field as it is there. */
export interface MappedField {
  readonly field: Field;
  /** The member's name. */
  readonly name: string;
  /** How its values are written there, and here. */
  readonly type: JsonType;
  readonly natural: JsonType;
  /** @throws Problem `bad-gateway` where it is no value of the field */
  readonly read: (value: unknown) => Cell;
  /** @returns `undefined` where the value cannot be written there */
  readonly write: (value: Value) => string | number | boolean | undefined;
}

/** Without an exponent, or zeros that the same number would not have. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  [1, true],
  [0, false],
]);

/** No language: what the catalogue lists is called what it is called there. */
const wordless = ({ choices = [] }: Field): ValueWords => ({
  flags: new Map(),
  everyFlag: new Map(),
  knownFlags: '',
  hasDecimalComma: false,
  isDayFirst: false,
  choices: { known: choices, word: (value) => value, value: (word) => word, meant: () => undefined },
});

const naturalOf = (field: Field): JsonType => {
  const { type } = kindOf(field).jsonSchema(field, wordless(field));
  return type === 'string' || type === 'boolean' ? type : 'number';
};

/** @returns a value of another type as one of the natural type; anything else as it is, for the check to refuse */
const converted = (value: unknown, natural: JsonType): unknown => {
  if (natural === 'boolean') return FLAGS.get(value) ?? value;
  if (natural === 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
};

const written = (value: unknown, type: JsonType): string | number | boolean | undefined => {
  if (type === 'string') return String(value);
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (type === 'number') {
    const isExact = typeof number === 'number' || (typeof number === 'string' && String(Number(number)) === number);
    return isExact ? Number(number) : undefined;
  }
  return FLAGS.get(value);
};

/**
 * @param type how its values are written there; by default as here
 * @param values what values are called there, by what they are called in the catalogue
 */
export const mappedField = (
  field: Field,
  name: string,
  type?: JsonType,
  values: Readonly<Record<string, string>> = {},
): MappedField => {
  const { toJson } = kindOf(field).in(field, wordless(field));
  const names = new Map<Value, string>(Object.entries(values));
  const called = new Map(Object.entries(values).map(([here, there]) => [there, here]));
  const natural = naturalOf(field);
  const own = type ?? natural;
  // Limits are of what is sent; what is there stays readable.
  const check = valueChecker({
    ...field,
    required: false,
    min: Number.NEGATIVE_INFINITY,
    max: Number.POSITIVE_INFINITY,
  });
  const isText = own === 'string' && ['text', 'key'].includes(field.kind);
  return {
    field,
    name,
    type: own,
    natural,
    read: (value) => {
      if (value === null || value === undefined) return null;
      if (isText && typeof value === 'string') return value;
      const named = typeof value === 'string' ? (called.get(value) ?? value) : value;
      const { cell } = check(own === natural ? named : converted(named, natural));
      if (cell === undefined) throw badGateway(`"${name}" is ${JSON.stringify(value).slice(0, 100)}`);
      return cell;
    },
    write: (value) => {
      const json: string | number | boolean = names.get(value) ?? JSON.parse(toJson(value));
      return own === natural ? json : written(json, own);
    },
  };
};
