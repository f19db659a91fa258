import { memoized } from '../../../util/memoized.ts';
import type { PhraseName } from '../../texts/phrase.ts';
import type { Cell, Field } from '../field.ts';
import type { Values } from './kind.ts';
import { kindOf } from './kinds.ts';

/** The cell of a valid value, or the phrase that describes the error. */
type Checked =
  | { readonly cell: Cell; readonly fault: undefined }
  | { readonly cell: undefined; readonly fault: PhraseName };

type Check = (value: unknown) => Checked;

const compile = (field: Field): Check => {
  const { expected, toCell } = kindOf(field);
  const read = toCell(field);
  const check = (value: unknown): Checked => {
    const found = read(value);
    if (found === undefined) return { cell: undefined, fault: expected };
    if (typeof found === 'object' && found !== null) return { cell: undefined, fault: found.fault };
    return { cell: found, fault: undefined };
  };
  // Most values are brands, years and the like, which recur; keys do not.
  return field.isKey ? check : memoized(check);
};

const checks = new WeakMap<Field, Check>();

/**
 * Compiles a field's check once, whatever languages and formats it is read in.
 *
 * @returns checks a JSON value that is not null
 */
export const valueChecker = (field: Field): Check => {
  const check = checks.get(field) ?? compile(field);
  checks.set(field, check);
  return check;
};

/** @returns the same for a JSON value in the words of a language */
export const checkerIn = (field: Field, { fromJson }: Values): Check => {
  const check = valueChecker(field);
  return fromJson ? (value) => check(fromJson(value)) : check;
};
