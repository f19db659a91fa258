import { keyKind } from './key.ts';
import type { Kind } from './kind.ts';

/** The key of an item of another collection. Whether there is one is for the store to say. */
export const referenceKind: Kind = keyKind;
