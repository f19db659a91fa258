import type { Kind } from './kind.ts';
import { isLengthWithin, storable, stringOf, textKind } from './text.ts';

export const CONTROL = /\p{Cc}/u;

/** A character of a key, and one that is not a dot. */
export const SAFE = String.raw`[^\x00-\x1f\x7f-\x9f]`;
const NO_DOT = String.raw`[^.\x00-\x1f\x7f-\x9f]`;
/** As a pattern, `.` and `..` are what neither of these is; generators make no type of `not`. */
const KEY = String.raw`^(?:\.{0,2}${NO_DOT}${SAFE}*|\.{3}${SAFE}*)$`;

/** A text that can stand in a path: no control characters, not `.` or `..`. */
export const keyKind: Kind = {
  ...textKind,
  expected: 'value-key',
  toCell: (field) =>
    storable((text) =>
      isLengthWithin(text, field) && !CONTROL.test(text) && text !== '.' && text !== '..' ? text : undefined,
    ),
  jsonSchema: (field) => stringOf(KEY, field),
};
