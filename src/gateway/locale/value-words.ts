/** What a language has to say of the values of fields. */

import { fold, type Synonym } from '../../../packages/vocabularies/src/words.ts';
import type { Catalogue, Collection } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import type { ChoiceWords, Values, ValueWords } from '../model/kinds/kind.ts';
import { kindOf } from '../model/kinds/kinds.ts';
import { type FormerLog, indexPart, type LocaleWithHistory, type Part, wordsIn } from './history.ts';
import type { Table } from './table.ts';

/** @returns what people write for true and false, and what programs do whatever their language */
export const flagWordsOf = (words: Table['booleans']) => ({
  true: [...(words?.true ?? []), 'true', '1'],
  false: [...(words?.false ?? []), 'false', '0'],
});

const flagsOf = (words: Table['booleans']): ReadonlyMap<string, boolean> =>
  new Map(
    Object.entries(flagWordsOf(words)).flatMap(([meant, all]) =>
      all.map((word) => [fold(word), meant === 'true'] as const),
    ),
  );

const NONE: ChoiceWords = { known: [], word: (value) => value, value: () => undefined, meant: () => undefined };

/** @param part the words of a field's values */
const choiceWords = (
  locale: LocaleWithHistory,
  others: readonly LocaleWithHistory[],
  part: Part,
  log: FormerLog,
): ChoiceWords => {
  const own = wordsIn(locale, part);
  const canonical = Object.keys(own).map((value): Synonym => [value, value]);
  const index = indexPart(locale, others, part, canonical, log);
  const words = new Map(Object.entries(own));
  const loose = new Map(
    [...index.former().map(({ word }) => word), ...words.values()].map((word) => [fold(word), word]),
  );
  return {
    known: [...words.values()],
    // The catalogue may have had more values once.
    word: (value) => words.get(value) ?? value,
    value: (word, isLoose) => index.name(word) ?? (isLoose ? index.name(loose.get(fold(word)) ?? '') : undefined),
    meant: (sent) => index.name(index.suggest(sent) ?? ''),
  };
};

/** @returns a function that finds what a language says of the values of a field */
export const valueWordsIn = (
  catalogue: Catalogue,
  locale: LocaleWithHistory,
  others: readonly LocaleWithHistory[],
  log: FormerLog,
) => {
  const { table } = locale;
  const flags = flagsOf(table.booleans);
  const plain: ValueWords = {
    flags,
    everyFlag: new Map([...others.toReversed(), locale].flatMap((each) => [...flagsOf(each.table.booleans)])),
    knownFlags: Object.values(flagWordsOf(table.booleans)).flat().join(', '),
    hasDecimalComma: table.csv?.decimals === 'comma',
    isDayFirst: table.csv?.dates === 'day-first',
    choices: NONE,
  };
  const chosen = catalogue.flatMap(({ name, fields }) =>
    fields
      .filter(({ choices }) => choices)
      .map((field) => {
        const part: Part = ({ choices }) => choices?.[name]?.[field.name] ?? {};
        const words = { ...plain, choices: choiceWords(locale, others, part, log) };
        return [`${name}.${field.name}`, words] as const;
      }),
  );
  const made = new Map(chosen);
  return ({ name }: Collection, field: Field): ValueWords =>
    field.choices ? (made.get(`${name}.${field.name}`) ?? plain) : plain;
};

/** A language, as far as the values of fields need it. */
interface Speaks {
  readonly valueWords: (collection: Collection, field: Field) => ValueWords;
}

/** @returns the examples of a field as JSON values in the words of a language */
export const examplesIn = (language: Speaks, collection: Collection, field: Field): readonly unknown[] =>
  field.choices
    ? field.examples.map((each) => language.valueWords(collection, field).choices.word(String(each)))
    : field.examples;

/** @returns how the values of a field are written and read in a language */
export const valuesIn = (language: Speaks, collection: Collection, field: Field): Values =>
  kindOf(field).in(field, language.valueWords(collection, field));
