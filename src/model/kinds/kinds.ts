import type { Field, KindName } from '../field.ts';
import { flag } from './flag.ts';
import { integer } from './integer.ts';
import type { Kind } from './kind.ts';
import { key, text } from './text.ts';

/** The one table of kinds. A new kind is a name in `field.ts` and an entry here. */
const kinds: Readonly<Record<KindName, Kind>> = { text, key, integer, flag };

export const kindOf = ({ kind }: Field): Kind => kinds[kind];
