/** What a language has to say of the values of fields. */
import type { Catalogue, Collection } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import type { ChoiceWords, Values, ValueWords } from '../model/kinds/kind.ts';
import { kindOf } from '../model/kinds/kinds.ts';
import { fold } from '../model/search/fold.ts';
import type { FormerWord, Words } from './former.ts';
import type { Dictionary, Table } from './table.ts';
import { vocabulary } from './vocabulary.ts';

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

type Former = Readonly<Record<string, readonly FormerWord[]>>;

/** @param own the words of a field's values, those of each other language, and what they were before */
const choiceWords = (own: Dictionary, others: readonly Dictionary[], former: Former): ChoiceWords => {
  const {
    name,
    suggest,
    former: before,
  } = vocabulary(
    own,
    others,
    Object.keys(own).map((value) => [value, value]),
    former,
  );
  const words = new Map(Object.entries(own));
  const loose = new Map([...before().map(({ word }) => word), ...words.values()].map((word) => [fold(word), word]));
  return {
    known: [...words.values()],
    // The catalogue may have had more values once.
    word: (value) => words.get(value) ?? value,
    value: (word, isLoose) => name(word) ?? (isLoose ? name(loose.get(fold(word)) ?? '') : undefined),
    meant: (sent) => name(suggest(sent) ?? ''),
  };
};

type Says = Pick<Table, 'booleans' | 'csv'> & Pick<Words<string>, 'choices'>;

/**
 * @param others the tables of other languages
 * @param former what the words of this one were before
 * @returns a function that finds what a table says of the values of a field
 */
export const valueWordsIn = (
  catalogue: Catalogue,
  table: Says,
  others: readonly Says[],
  former: Words<readonly FormerWord[]>,
) => {
  const flags = flagsOf(table.booleans);
  const plain: ValueWords = {
    flags,
    everyFlag: new Map([...others.toReversed(), table].flatMap((each) => [...flagsOf(each.booleans)])),
    knownFlags: Object.values(flagWordsOf(table.booleans)).flat().join(', '),
    hasDecimalComma: table.csv?.decimals === 'comma',
    isDayFirst: table.csv?.dates === 'day-first',
    choices: NONE,
  };
  const chosen = catalogue.flatMap(({ name, fields }) =>
    fields
      .filter(({ choices }) => choices)
      .map((field) => {
        const wordsIn = <T>({ choices }: Pick<Words<T>, 'choices'>) => choices?.[name]?.[field.name] ?? {};
        const foreign = others.map((each) => wordsIn(each));
        const words = { ...plain, choices: choiceWords(wordsIn(table), foreign, wordsIn(former)) };
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
