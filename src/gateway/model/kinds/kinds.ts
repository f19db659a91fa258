import type { Field, KindName } from '../field.ts';
import { flagKind } from './flag.ts';
import { integerKind } from './integer.ts';
import type { Kind } from './kind.ts';
import { keyKind, textKind } from './text.ts';

/** The one table of kinds. A new kind is a name in `field.ts` and an entry here. */
const kinds: Readonly<Record<KindName, Kind>> = { key: keyKind, text: textKind, integer: integerKind, flag: flagKind };
export const kindNames = Object.keys(kinds);

export const kindOf = ({ kind }: Field): Kind => kinds[kind];
