import type { PhraseName } from '../../texts/phrase.ts';
import type { Cell, Field } from '../field.ts';
import type { Values } from './kind.ts';
import { kindOf } from './kinds.ts';

/** The cell of a valid value, or the phrase that describes the error. */
type Checked =
  | { readonly cell: Cell; readonly fault: undefined }
  | { readonly cell: undefined; readonly fault: PhraseName };

type Check = (value: unknown) => Checked;

/** @returns checks a JSON value that is not null */
export const valueChecker = (field: Field): Check => {
  const { expected, toCell } = kindOf(field);
  const read = toCell(field);
  return (value) => {
    const cell = read(value);
    if (cell === undefined) return { cell, fault: expected };
    return typeof cell === 'object' && cell !== null
      ? { cell: undefined, fault: cell.fault }
      : { cell, fault: undefined };
  };
};

/** @returns checks a JSON value in the words of a language */
export const checkerIn = (field: Field, { fromJson }: Values): Check => {
  const check = valueChecker(field);
  return fromJson ? (value) => check(fromJson(value)) : check;
};
