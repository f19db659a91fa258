import type { PhraseName } from '../../texts/phrase.ts';
import type { Cell, Field, KindName } from '../field.ts';
import { dateKind, timestampKind } from './dates.ts';
import type { Kind, Values, ValueWords } from './kind.ts';
import { decimalKind, integerKind } from './numbers.ts';
import { choiceKind, flagKind, keyKind, listKind, textKind, urlKind, vocabularyKind } from './texts.ts';

/** The one table of kinds. A new kind is a name in `field.ts`, what makes its lines in `fields.ts`, a file, and an entry here. */
export const kinds: Readonly<Record<KindName, Kind>> = {
  key: keyKind,
  text: textKind,
  integer: integerKind,
  flag: flagKind,
  decimal: decimalKind,
  date: dateKind,
  timestamp: timestampKind,
  choice: choiceKind,
  vocabulary: vocabularyKind,
  url: urlKind,
  // Whether there is an item with this key is for the store to say.
  reference: keyKind,
  list: listKind,
};
export const kindNames = Object.keys(kinds);

export const getKind = ({ kind }: Field): Kind => kinds[kind];

export const describeLimits = (field: Field, words: ValueWords): Readonly<Record<string, string | number>> =>
  getKind(field).limits?.(field, words) ?? { min: field.min, max: field.max };

type Checked =
  | { readonly cell: Cell; readonly fault: undefined }
  | { readonly cell: undefined; readonly fault: PhraseName };

type Check = (value: unknown) => Checked;

export function createValueChecker(field: Field, phrase?: PhraseName): Check {
  const { expected: usual, toCell } = getKind(field);
  const expected = phrase ?? usual;
  const read = toCell(field);
  return (value) => {
    const cell = read(value);
    if (cell === undefined) return { cell, fault: expected };
    return typeof cell === 'object' && cell !== null
      ? { cell: undefined, fault: cell.fault }
      : { cell, fault: undefined };
  };
}

export function createChecker(field: Field, { fromJson, expected }: Values): Check {
  const check = createValueChecker(field, expected);
  return fromJson ? (value) => check(fromJson(value)) : check;
}
