import { type Language, viewWords } from '../locale/language.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { rangeWords } from '../read/query/filters.ts';
import type { Sentence } from '../texts/phrase.ts';
import type { Problem } from '../texts/problem.ts';

/** @returns all words of a language that a client may send, of every kind */
function listWords(language: Language, catalogue: Catalogue): readonly string[] {
  const { paths, fields, views, parameters, directions, members } = language;
  const kinds = [...[undefined, ...catalogue].map(paths), ...catalogue.map(fields), views, parameters];
  return [...kinds, directions, members].flatMap(({ names, word }) => names.map(word));
}

/** @returns the words for which a sentence suggests others: of a path that of a view, if it has one, then every second segment */
function listRefused({ phrase, values }: Sentence, views: ReadonlySet<string>): readonly string[] {
  if (!phrase.endsWith('-suggested')) return [];
  const { path, value, word } = values;
  // `marca[]`: some clients write repeated parameters so.
  if (path === undefined) return [String(value ?? word).replace(/\[[^[\]]*\]$/, '')];
  const [first = '', ...rest] = String(path).split('/').slice(2);
  return [first, ...rest.filter((_, at) => at % 2 === (views.has(first) ? 0 : 1))];
}

/** Makes the function that finds, for each word that a tree refused, the language it belongs to. */
export const foreignWords = (catalogue: Catalogue, languages: readonly Language[]) => {
  const views = viewWords(languages);
  const rangesOf = (fields: Language, suffixes: Language): readonly string[] =>
    catalogue.flatMap((collection) => Object.values(rangeWords(collection, fields, suffixes)));
  const all = languages.map((language) => ({
    language,
    own: new Set([...listWords(language, catalogue), ...rangesOf(language, language)]),
    // A field in one language may have the suffix of another.
    mixed: new Set(languages.flatMap((other) => [...rangesOf(language, other), ...rangesOf(other, language)])),
  }));
  return (tree: Language, { detail, errors }: Problem): readonly string[] => {
    const sentences = errors.length > 0 ? errors.map((each) => each.detail) : [detail];
    const mine = all.find(({ language }) => language === tree)?.own;
    const others = all.filter(({ language }) => language !== tree);
    return sentences
      .flatMap((each) => listRefused(each, views))
      .filter((word) => !mine?.has(word))
      .map((word) => others.findLast(({ own }) => own.has(word)) ?? others.findLast(({ mixed }) => mixed.has(word)))
      .flatMap((found) => found?.language.tag ?? []);
  };
};
