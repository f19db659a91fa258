import type { Field, KindName } from '../field.ts';
import { choiceKind } from './choice.ts';
import { dateKind } from './date.ts';
import { decimalKind } from './decimal.ts';
import { flagKind } from './flag.ts';
import { integerKind } from './integer.ts';
import type { Kind, ValueWords } from './kind.ts';
import { listKind } from './list.ts';
import { keyKind, textKind, urlKind } from './text.ts';
import { timestampKind } from './timestamp.ts';
import { vocabularyKind } from './vocabulary.ts';

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

export const kindOf = ({ kind }: Field): Kind => kinds[kind];

/** @returns what sentences say of the limits of a field */
export const limitsOf = (field: Field, words: ValueWords): Readonly<Record<string, string | number>> =>
  kindOf(field).limits?.(field, words) ?? { min: field.min, max: field.max };
