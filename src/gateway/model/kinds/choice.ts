import type { Kind } from './kind.ts';
import { textValues } from './text.ts';

/** One of the values that the catalogue lists, each of which has a word in each language. Stored by its name. */
export const choiceKind: Kind = {
  column: 'TEXT',
  folded: false,
  hasRanges: false,
  expected: 'value-choice',
  limits: (_, { choices }) => ({ known: choices.known.join(', ') }),
  toCell:
    ({ choices = [] }) =>
    (value) =>
      choices.find((each) => each === value),
  jsonSchema: (_, { choices }) => ({ type: 'string', enum: choices.known }),
  in: (_, { choices }) => {
    const toText = (value: string | number): string => choices.word(String(value));
    const named = (sent: unknown, isLoose: boolean): unknown =>
      // What is no word here must not be a name by chance.
      typeof sent === 'string' ? choices.value(sent, isLoose) : undefined;
    return {
      ...textValues,
      toJson: (value) => textValues.toJson(toText(value)),
      fromJson: (sent) => named(sent, false),
      filter: {
        parse: (sent) => choices.value(sent, true),
        format: toText,
        fault: 'value-choice',
        jsonSchema: { type: 'string', enum: choices.known },
      },
      toText,
      fromCell: (cell) => named(typeof cell === 'string' ? cell.trim() : cell, true),
      meant: (text) => {
        const value = choices.meant(text);
        return value === undefined ? text : choices.word(value);
      },
      control: choices.known,
    };
  },
};
