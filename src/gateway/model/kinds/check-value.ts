import { z } from 'zod';
import type { PhraseName } from '../../texts/phrase.ts';
import type { Field, Value } from '../field.ts';
import { kindOf } from './kinds.ts';

/** The cell of a valid value, or the phrase that describes the error. */
type Checked =
  | { readonly cell: Value; readonly fault: undefined }
  | { readonly cell: undefined; readonly fault: PhraseName };

type Check = (value: unknown) => Checked;

/** Cached results: most values are brands, years and the like, which recur. */
const REMEMBERED = 1_024;
/** The longest text that is cached. A longer one may be a slice of another (V8), which it would keep in memory. */
const LONGEST = 12;

const isSmall = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= LONGEST : typeof value !== 'object';

/** @returns the same check, with a cache of recent short values */
const remembering = (check: Check): Check => {
  const known = new Map<unknown, Checked>();
  return (value) => {
    const before = known.get(value);
    if (before) return before;
    const checked = check(value);
    if (isSmall(value)) {
      if (known.size >= REMEMBERED) known.clear();
      known.set(value, checked);
    }
    return checked;
  };
};

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
  // Keys do not recur.
  return field.isKey ? check : remembering(check);
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
