import { z } from 'zod';
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
  const { expected, schema } = kindOf(field);
  const compiled = schema(z, field);
  const check = (value: unknown): Checked => {
    const checked = compiled.safeParse(value);
    if (checked.success) return { cell: checked.data, fault: undefined };
    const [issue] = checked.error.issues;
    const named: PhraseName | undefined = issue?.code === 'custom' ? issue.params?.fault : undefined;
    return { cell: undefined, fault: named ?? expected };
  };
  // Most values are brands, years and the like, which recur; keys do not.
  return field.isKey ? check : memoized(check);
};

const checks = new WeakMap<Field, Check>();

/**
 * Compiles a field's check once, whatever languages and formats it is read in.
 *
 * @returns checks a JSON value that is not null. zod decides; the sentence is our own
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
