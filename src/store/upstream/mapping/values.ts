/** Converts values between JSON as it is there and cells, exactly or not at all. */
import type { Cell, Field, Value } from '../../../gateway/model/field.ts';
import { valueChecker } from '../../../gateway/model/kinds/check-value.ts';
import type { ValueWords } from '../../../gateway/model/kinds/kind.ts';
import { kindOf } from '../../../gateway/model/kinds/kinds.ts';
import { memoized } from '../../../util/memoized.ts';
import { badGateway } from './faults.ts';

/** How a value is written there, where that is not how its kind is written here. */
export const jsonTypes = ['string', 'number', 'boolean'] as const;
export type JsonType = (typeof jsonTypes)[number];
type Scalar = string | number | boolean;

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
  readonly write: (value: Value) => Scalar | undefined;
}

/** Without an exponent, or zeros before it. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const flagIn = (value: unknown): boolean | undefined =>
  [false, true].find((flag) => [flag, String(flag), Number(flag)].includes(value as string));

/** No language: what the catalogue lists is called what it is called there. */
const wordless = ({ choices = [] }: Field): ValueWords => ({
  flags: new Map(),
  everyFlag: new Map(),
  knownFlags: '',
  hasDecimalComma: false,
  isDayFirst: false,
  choices: { known: choices, word: (value) => value, value: (word) => word, meant: () => undefined },
});

/** @returns a value as another type of JSON; `undefined` where it has none */
const converted = (value: unknown, type: JsonType): Scalar | undefined => {
  if (type === 'boolean') return flagIn(value);
  if (typeof value === 'object' || value === undefined) return undefined;
  if (type === 'string') return String(value);
  return typeof value === 'string' && !NUMBER.test(value) ? undefined : Number(value);
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
  const { in: valuesIn, jsonSchema } = kindOf(field);
  const { toJson } = valuesIn(field, wordless(field));
  const names = new Map<Value, string>(Object.entries(values));
  const called = new Map<unknown, string>(Object.entries(values).map(([here, there]) => [there, here]));
  const natural = jsonTypes.find((each) => each === jsonSchema(field, wordless(field)).type) ?? 'number';
  const own = type ?? natural;
  // Limits are of what is sent; what is there stays readable.
  const check = valueChecker({
    ...field,
    required: false,
    min: Number.NEGATIVE_INFINITY,
    max: Number.POSITIVE_INFINITY,
  });
  // Most values are years, flags and the like, which recur.
  const readValue = memoized((value: unknown): Cell => {
    const named = called.get(value) ?? value;
    const { cell } = check(typeof value === own ? converted(named, natural) : named);
    if (cell === undefined) throw badGateway(`"${name}" is ${JSON.stringify(value).slice(0, 100)}`);
    return cell;
  });
  const isText = own === 'string' && ['text', 'key'].includes(field.kind);
  return {
    field,
    name,
    type: own,
    natural,
    read: (value) => {
      if (value === null || value === undefined) return null;
      return isText && typeof value === 'string' ? value : readValue(value);
    },
    write: (value) => {
      const json: Scalar = names.get(value) ?? JSON.parse(toJson(value));
      const there = converted(json, own);
      // What would not come back as it is cannot be there.
      return converted(there, natural) === json ? there : undefined;
    },
  };
};
