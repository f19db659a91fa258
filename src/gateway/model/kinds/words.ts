import { fold } from '../../../../packages/vocabularies/src/words.ts';
import type { Value } from '../field.ts';
import type { Kind } from './kind.ts';
import { textKind, textValues } from './texts.ts';

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
    const readChoice = (text: unknown, isLoose: boolean): unknown =>
      // What is no word here must not be a name by chance.
      typeof text === 'string' ? choices.value(text, isLoose) : undefined;
    return {
      ...textValues,
      toJson: (value) => textValues.toJson(toText(value)),
      fromJson: (text) => readChoice(text, false),
      filter: {
        parse: (text) => choices.value(text, true),
        format: toText,
        fault: 'value-choice',
        jsonSchema: { type: 'string', enum: choices.known },
      },
      toText,
      fromCell: (cell) => readChoice(typeof cell === 'string' ? cell.trim() : cell, true),
      suggest: (text) => {
        const value = choices.suggest(text);
        return value === undefined ? text : choices.word(value);
      },
      control: choices.known,
    };
  },
};

/** Free text, some of whose values the catalogue lists: these have a word in each language, and are stored by their names. */
export const vocabularyKind: Kind = {
  ...textKind,
  jsonSchema: (field, words) => ({ ...textKind.jsonSchema(field, words), examples: words.choices.known }),
  in: (_, { choices }) => {
    const readChoice = (text: string): string => choices.value(text, true) ?? text;
    const toText = (value: Value): string => choices.word(String(value));
    const fromJson = (text: unknown): unknown => (typeof text === 'string' ? readChoice(text) : text);
    return {
      ...textValues,
      toJson: (value) => textValues.toJson(toText(value)),
      fromJson,
      filter: {
        ...textValues.filter,
        parse: readChoice,
        format: toText,
        jsonSchema: { ...textValues.filter.jsonSchema, examples: choices.known },
      },
      toText,
      fromCell: fromJson,
    };
  },
};

const parseFlag = (text: string): Value | undefined => (text === 'true' ? 1 : text === 'false' ? 0 : undefined);
const formatFlag = (value: Value): string => (value === 1 ? 'true' : 'false');
const jsonSchema = { type: 'boolean' } as const;

/** `true` or `false`, stored as 1 and 0. */
export const flagKind: Kind = {
  column: 'INTEGER',
  folded: false,
  hasRanges: false,
  expected: 'value-flag',
  expectedInCell: 'value-choice',
  limits: (_, { knownFlags }) => ({ known: knownFlags }),
  toCell: () => (value) => (typeof value === 'boolean' ? Number(value) : undefined),
  jsonSchema: () => jsonSchema,
  in: (_, { flags, everyFlag }) => ({
    toJson: formatFlag,
    filter: { parse: parseFlag, format: formatFlag, fault: 'parameter-flag', jsonSchema },
    toText: formatFlag,
    sheet: { type: 'boolean' },
    fromCell: (cell) => (typeof cell === 'string' ? (flags.get(fold(cell.trim())) ?? cell) : cell),
    suggest: (text) => everyFlag.get(fold(text.trim())) ?? text,
    control: 'flag',
  }),
};
