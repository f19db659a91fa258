import type { Language } from '../locale/language.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { rangeWords } from '../read/query/filters.ts';
import type { Sentence } from '../texts/phrase.ts';
import type { Problem } from '../texts/problem.ts';

/** @returns the tag of the language of each word that a tree refused because it is a word of another language */
export type ForeignWords = (tree: Language, problem: Problem) => readonly string[];

/** All words of a language that a client may send, of every kind. */
const wordsOf = (language: Language, catalogue: Catalogue): readonly string[] =>
  [
    ...[undefined, ...catalogue].map(language.paths),
    ...catalogue.map(language.fields),
    language.parameters,
    language.directions,
    language.members,
  ].flatMap(({ names, word }) => names.map(word));

/**
 * The words of ranges in all combinations of languages, a field in one and its suffix in another, each with the foreign
 * language.
 */
const mixedRanges = (own: Language, languages: readonly Language[], catalogue: Catalogue) =>
  languages.flatMap((fields) =>
    languages.flatMap((suffixes) =>
      catalogue.flatMap((collection) =>
        Object.values(rangeWords(collection, fields, suffixes)).map(
          (word) => [word, fields === own ? suffixes.tag : fields.tag] as const,
        ),
      ),
    ),
  );

/** @returns the words of a path, which are every second segment: the others are keys */
const pathWords = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(2)
    .filter((_, at) => at % 2 === 0);

/** @returns the words for which a sentence suggests others */
const refusedIn = ({ phrase, values }: Sentence): readonly string[] => {
  if (!phrase.endsWith('-suggested')) return [];
  const { path, value, word } = values;
  if (path !== undefined) return pathWords(String(path));
  // `marca[]`: some clients write repeated parameters so.
  return [String(value ?? word).replace(/\[[^[\]]*\]$/, '')];
};

export const foreignWords = (catalogue: Catalogue, languages: readonly Language[]): ForeignWords => {
  const byTree = new Map(
    languages.map((own) => {
      const others = languages.filter((each) => each !== own);
      const all = [
        ...mixedRanges(own, languages, catalogue),
        ...others.flatMap((each) => wordsOf(each, catalogue).map((word) => [word, each.tag] as const)),
        // Last, because a word of the tree itself is not foreign.
        ...[...wordsOf(own, catalogue), ...catalogue.flatMap((each) => Object.values(rangeWords(each, own, own)))].map(
          (word) => [word, undefined] as const,
        ),
      ];
      return [own, new Map(all)] as const;
    }),
  );
  return (tree, { detail, errors }) => {
    const foreign = byTree.get(tree);
    const sentences = errors.length > 0 ? errors.map((each) => each.detail) : [detail];
    return sentences.flatMap(refusedIn).flatMap((word) => foreign?.get(word) ?? []);
  };
};
