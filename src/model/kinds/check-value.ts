import { z } from 'zod';
import type { PhraseName } from '../../texts/phrase.ts';
import type { Field, Value } from '../field.ts';
import { kindOf } from './kinds.ts';

/** The cell of a valid value, or the phrase that says what is wrong with it. */
type Checked =
  | { readonly cell: Value; readonly fault: undefined }
  | { readonly cell: undefined; readonly fault: PhraseName };

/** Values that are remembered: most are brands, years and the like, which come again and again. */
const REMEMBERED = 1_024;
/** The longest text that is. A longer one may be a part of another (V8), and would keep all of it. */
const LONGEST = 12;

const isSmall = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= LONGEST : typeof value !== 'object';

/** @returns does the same, but once for each value that is small, of those that came last */
const remembering = (check: (value: unknown) => Checked): ((value: unknown) => Checked) => {
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

/**
 * Compiles a field's check, once, at start.
 *
 * @returns checks a JSON value that is not null. zod decides; the sentence is our own
 */
export const valueChecker = (field: Field): ((value: unknown) => Checked) => {
  const { expected, schema } = kindOf(field);
  const compiled = schema(z, field);
  const check = (value: unknown): Checked => {
    const checked = compiled.safeParse(value);
    if (checked.success) return { cell: checked.data, fault: undefined };
    const [issue] = checked.error.issues;
    const named: PhraseName | undefined = issue?.code === 'custom' ? issue.params?.fault : undefined;
    return { cell: undefined, fault: named ?? expected };
  };
  // Each item has a key of its own.
  return field.isKey ? check : remembering(check);
};
