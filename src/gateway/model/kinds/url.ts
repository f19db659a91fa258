import type { Kind } from './kind.ts';
import { isLengthWithin, storable, textKind } from './text.ts';

/** Others, such as `javascript:`, do more than lead somewhere. */
const WEB = /^https?:\/\/[^\s\p{Cc}"<>\\^`{|}]+$/iu;

/** The address of a page or a file, stored and returned exactly as sent. */
export const urlKind: Kind = {
  ...textKind,
  expected: 'value-url',
  toCell: (field) =>
    storable((text) => {
      if (!isLengthWithin(text, field)) return { fault: 'value-text' };
      return WEB.test(text) && URL.canParse(text) ? text : undefined;
    }),
  jsonSchema: ({ max }) => ({ type: 'string', format: 'uri', maxLength: max }),
};
