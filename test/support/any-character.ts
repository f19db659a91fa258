import fc from 'fast-check';

const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;
const LAST = 0x10_ffff;

/** Any code point that a well-formed text may contain. `unit: 'binary'` is the same, but makes a map of all of them, for two seconds. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: SURROGATES - 1 }), fc.integer({ min: AFTER_SURROGATES, max: LAST }))
  .map((code) => String.fromCodePoint(code));
