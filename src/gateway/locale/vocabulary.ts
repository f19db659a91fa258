import { composed, fold } from '../model/search/fold.ts';
import { type FormerWord, isAccepted, type Spoken, wordOf } from './former.ts';
import type { Dictionary, Table } from './table.ts';
import type { Entry } from './word-schema.ts';

/** A word that stands for a name, and is only suggested for. */
export type Synonym = readonly [word: string, name: string];

/** Between the parts of a word, and what programs put before one: `page-size`, `pageSize`, `_page`, `$top`. */
const SEPARATORS = /^[$_]+|(?<=[\p{L}\p{N}])[\p{White_Space}_.-]+(?=[\p{L}\p{N}])/gu;

/** @returns what words have in common that differ in case, accents and the separators of their parts only */
export const likeness = (word: string): string => fold(word.normalize('NFC').replace(SEPARATORS, ''));

/** The words of one kind in one language: word ⇄ name, and the word that was probably intended. */
export type Vocabulary = ReturnType<typeof vocabulary>;

/** UTF-16 units. A longer word gets no suggestion, because it is compared with each word letter by letter. */
export const LONGEST = 64;

/** What begins or ends an operator, such as `-year` and `brand!`, whose bare word would ask another question. */
const OPERATOR = /^[-!~<>=^]|[-!~<>=*]$/;

/** The share of letters that differ in words that are still alike. */
const ALIKE = 1 / 2;

/** @returns how many letters were added, lost, changed or swapped with a neighbour (optimal string alignment) */
const distance = (from: readonly string[], to: readonly string[]): number => {
  let before: readonly number[] = [];
  let last: readonly number[] = [0, ...to.map((_, at) => at + 1)];
  const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
  from.forEach((letter, row) => {
    const next = [row + 1];
    to.forEach((other, column) => {
      const isSwapped = row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === other;
      next.push(
        Math.min(
          at(last, column) + (letter === other ? 0 : 1),
          at(last, column + 1) + 1,
          at(next, column) + 1,
          isSwapped ? at(before, column - 1) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    });
    [before, last] = [last, next];
  });
  return at(last, to.length);
};

/**
 * @param own this language's words, by name
 * @param others the words of each other language, by the same names
 * @param suggested synonyms of these names, and of others; the first of several decides
 * @param former what the words were before, by name
 */
export const vocabulary = (
  own: Dictionary,
  others: readonly Dictionary[],
  suggested: readonly Synonym[] = [],
  former: Readonly<Record<string, readonly FormerWord[]>> = {},
) => {
  // Maps: in an object, `__proto__` and `constructor` would be found.
  const words = new Map(Object.entries(own));
  const names = new Map([...words].map(([name, word]) => [word, name]));
  const old = new Map(Object.entries(former).flatMap(([name, all]) => all.map((each) => [each.word, { name, each }])));
  const synonyms = [...suggested, ...[...old].map(([word, { name }]): Synonym => [word, name])];
  const foreign = new Map(others.flatMap((other) => Object.entries(other).map(([name, word]) => [word, name])));
  const spelt = [...names.keys()].map((each) => ({ each, letters: lettersOf(each) }));
  // Reversed, because the last of several entries of a map decides.
  const alike = new Map(
    [...names, ...synonyms]
      .filter(([, name]) => words.has(name))
      .map(([word, name]) => [likeness(word), name] as const)
      .reverse(),
  );
  /** The words as a sentence lists them. */
  const known = [...words.values()].join(', ');

  /** @throws TypeError for a name that is not of this kind, which is a bug */
  const word = (name: string): string => {
    const found = words.get(name);
    if (found === undefined) throw new TypeError(`no word for "${name}"`);
    return found;
  };
  const nameFor = (sent: string): string | undefined => {
    const current = names.get(sent) ?? names.get(composed(sent));
    if (current !== undefined) return current;
    const former = old.get(composed(sent));
    return former && isAccepted(former.each) ? former.name : undefined;
  };
  const isComparable = (sent: string): boolean => sent.length <= LONGEST && !OPERATOR.test(sent);
  /** @returns the word to use instead of another language's word or a synonym, whose case and accents are ignored */
  const equivalent = (sent: string): string | undefined => {
    const name = isComparable(sent) ? (foreign.get(sent.normalize()) ?? alike.get(likeness(sent))) : undefined;
    return name === undefined ? undefined : word(name);
  };
  const misspelt = (sent: string): string | undefined => {
    const letters = lettersOf(sent);
    return spelt.find(({ letters: own }) => own.length + letters.length > 2 && distance(own, letters) === 1)?.each;
  };
  return {
    names: [...words.keys()],
    known,
    /** For vocabularies that consist of others; their names may be of any kind. */
    synonyms,
    word,
    /** @returns the name of a word, or of a former one while it is accepted; accents may be characters of their own, as macOS writes them (NFD) */
    name: nameFor,
    /** What the words were before, or that of a name. */
    former: (name?: string): readonly FormerWord[] =>
      name === undefined ? Object.values(former).flat() : (former[name] ?? []),
    /** @returns the words as a sentence lists them, with those first that are like a word that was sent */
    nearest: (sent: string): string => {
      if (sent.length > LONGEST) return known;
      const letters = lettersOf(sent);
      const share = (own: readonly string[]): number =>
        distance(own, letters) / Math.max(own.length, letters.length, 1);
      return spelt
        .map(({ each, letters }) => ({ each, share: Math.min(share(letters), ALIKE) }))
        .sort((one, other) => one.share - other.share)
        .map(({ each }) => each)
        .join(', ');
    },
    equivalent,
    /** @returns what `equivalent` does, or the word that a misspelt one with one slip was meant to be */
    suggest: (sent: string): string | undefined =>
      equivalent(sent) ?? (isComparable(sent) ? misspelt(sent) : undefined),
  };
};

/** Selects the words of a table that a vocabulary has. */
export type Part = (table: Table) => Readonly<Record<string, Entry>>;

/** @returns the words of a part of a table, by name */
export const wordsIn = ({ table }: Spoken, part: Part): Dictionary =>
  Object.fromEntries(Object.entries(part(table)).map(([name, entry]) => [name, wordOf(entry)]));

/** @returns what the words of a part of a table were before, by name */
const formerIn = ({ table, former }: Spoken, part: Part): Readonly<Record<string, readonly FormerWord[]>> =>
  Object.fromEntries(
    Object.entries(part(table)).map(([name, entry]) => [
      name,
      typeof entry === 'string' ? [] : entry.former.flatMap((each) => former.get(each) ?? []),
    ]),
  );

/** @returns the vocabulary of a part of a table, which suggests for what the words of other languages are and were */
export const partVocabulary = (
  locale: Spoken,
  others: readonly Spoken[],
  part: Part,
  synonyms: readonly Synonym[],
): Vocabulary => {
  const replaced = others.flatMap((each) =>
    Object.entries(formerIn(each, part)).flatMap(([name, all]) => all.map(({ word }): Synonym => [word, name])),
  );
  const foreign = others.map((each) => wordsIn(each, part));
  return vocabulary(wordsIn(locale, part), foreign, [...synonyms, ...replaced], formerIn(locale, part));
};

/** Letters are folded one by one: `ß` is one letter, although it folds to two. */
const lettersOf = (text: string): readonly string[] =>
  Array.from(text.normalize('NFC'), fold).filter((letter) => letter !== '');
