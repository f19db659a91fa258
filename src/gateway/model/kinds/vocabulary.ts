import type { Value } from '../field.ts';
import type { Kind } from './kind.ts';
import { textKind, textValues } from './text.ts';

/** Free text, some of whose values the catalogue lists: these have a word in each language, and are stored by their names. */
export const vocabularyKind: Kind = {
  ...textKind,
  jsonSchema: (field, words) => ({ ...textKind.jsonSchema(field, words), examples: words.choices.known }),
  in: (_, { choices }) => {
    const named = (sent: string): string => choices.value(sent, true) ?? sent;
    const toText = (value: Value): string => choices.word(String(value));
    const fromJson = (sent: unknown): unknown => (typeof sent === 'string' ? named(sent) : sent);
    return {
      ...textValues,
      toJson: (value) => textValues.toJson(toText(value)),
      fromJson,
      filter: {
        ...textValues.filter,
        parse: named,
        format: toText,
        jsonSchema: { ...textValues.filter.jsonSchema, examples: choices.known },
      },
      toText,
      fromCell: fromJson,
    };
  },
};
