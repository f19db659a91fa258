import { COLLECTIONS, type LocaleTable, rangeWords, type Words } from './translate.ts';

/** Every word with which a table names something: what clients send and read, no prose. */
export const tableWords = (table: LocaleTable): readonly string[] => {
  const { paths, fields, parameters, values } = table;
  const inEach = COLLECTIONS.flatMap((collection) => [fields[collection], rangeWords(table, collection)]);
  return [paths, ...inEach, parameters, values].flatMap((words: Words) => Object.values(words));
};

/** Everything that a table says in sentences. */
export const proseOf = ({ nouns, problems, phrases }: LocaleTable): string =>
  [...Object.values(nouns), ...Object.values(problems), ...Object.values(phrases)]
    .flatMap((each) => (typeof each === 'string' ? [each] : Object.values(each)))
    .join('\n')
    .replaceAll(/\{\w+\}/g, '');

/**
 * @param words to look for
 * @returns a search for those that a text contains as whole words, in any case; `Content-Type` is one word
 */
export const wordSearch = (words: readonly string[]): ((text: string) => readonly string[]) => {
  const any = words.map((word) => RegExp.escape(word)).join('|');
  const pattern = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_-])(?:${any})(?![\\p{L}\\p{M}\\p{N}_-])`, 'giu');
  return words.length === 0 ? () => [] : (text) => text.match(pattern) ?? [];
};

const fold = (words: readonly string[]): ReadonlySet<string> => new Set(words.map((word) => word.toLowerCase()));

/** The words of other tables that are none of a language's own. */
export const foreignTo = (own: LocaleTable, others: readonly LocaleTable[]): readonly string[] => {
  const ours = fold(tableWords(own));
  return [...new Set(others.flatMap(tableWords))].filter((word) => !ours.has(word.toLowerCase()));
};
