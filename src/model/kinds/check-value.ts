import { z } from 'zod';
import type { PhraseName } from '../../texts/phrase.ts';
import type { Field, Value } from '../field.ts';
import { kindOf } from './kinds.ts';

/** The cell of a valid value, or the phrase that says what is wrong with it. */
type Checked =
  | { readonly cell: Value; readonly fault: undefined }
  | { readonly cell: undefined; readonly fault: PhraseName };

/**
 * Compiles a field's check, once, at start.
 *
 * @returns checks a JSON value that is not null. zod decides; the sentence is our own
 */
export const valueChecker = (field: Field): ((value: unknown) => Checked) => {
  const { expected, schema } = kindOf(field);
  const compiled = schema(z, field);
  return (value) => {
    const checked = compiled.safeParse(value);
    if (checked.success) return { cell: checked.data, fault: undefined };
    const [issue] = checked.error.issues;
    const named: PhraseName | undefined = issue?.code === 'custom' ? issue.params?.fault : undefined;
    return { cell: undefined, fault: named ?? expected };
  };
};
