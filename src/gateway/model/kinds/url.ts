import { fault, type Kind } from './kind.ts';
import { isLengthWithin, storable, textKind } from './text.ts';

/** Others, such as `javascript:`, do more than lead somewhere. */
const WEB = /^https?:\/\/[^\s\p{Cc}"<>\\^`{|}]+$/iu;

/** The address of a page or a file, stored and returned exactly as sent. */
export const urlKind: Kind = {
  ...textKind,
  expected: 'value-url',
  schema: (zod, field) =>
    storable(zod)
      .refine((value) => isLengthWithin(value, field), fault('value-text'))
      .refine((value) => WEB.test(value) && URL.canParse(value)),
  jsonSchema: ({ max }) => ({ type: 'string', format: 'uri', maxLength: max }),
};
