import { type Language, viewWords } from '../locale/language.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { rangeWords } from '../read/query/filters.ts';
import type { Sentence } from '../texts/phrase.ts';
import type { Problem } from '../texts/problem.ts';

/** All words of a language that a client may send, of every kind. */
const wordsOf = (language: Language, catalogue: Catalogue): readonly string[] =>
  [
    ...[undefined, ...catalogue].map(language.paths),
    ...catalogue.map(language.fields),
    language.views,
    language.parameters,
    language.directions,
    language.members,
  ].flatMap(({ names, word }) => names.map(word));

/** @returns the words of a path: of a view, if it has one, then every second segment; the others are keys */
const pathWords = (path: string, views: ReadonlySet<string>): readonly string[] => {
  const [first = '', ...rest] = path.split('/').slice(2);
  return [first, ...rest.filter((_, at) => at % 2 === (views.has(first) ? 0 : 1))];
};

/** @returns the words for which a sentence suggests others */
const refusedIn = ({ phrase, values }: Sentence, views: ReadonlySet<string>): readonly string[] => {
  if (!phrase.endsWith('-suggested')) return [];
  const { path, value, word } = values;
  if (path !== undefined) return pathWords(String(path), views);
  // `marca[]`: some clients write repeated parameters so.
  return [String(value ?? word).replace(/\[[^[\]]*\]$/, '')];
};

/** @returns a function that says of which language each word is that a tree refused, where it is one of another language */
export const foreignWords = (catalogue: Catalogue, languages: readonly Language[]) => {
  /** The language that a word is of, as a client of a tree sees it: a field in one language may have the suffix of another. */
  const wordsFor = (own: Language): ReadonlyMap<string, string> => {
    const ofRanges = languages.flatMap((fields) =>
      languages.flatMap((suffixes) =>
        catalogue
          .flatMap((collection) => Object.values(rangeWords(collection, fields, suffixes)))
          .map((word) => [word, fields === own ? suffixes.tag : fields.tag] as const),
      ),
    );
    // The last one decides: a word of the tree itself is not foreign.
    const ordered = [...languages.filter((each) => each !== own), own];
    const ofOne = ordered.flatMap((each) => wordsOf(each, catalogue).map((word) => [word, each.tag] as const));
    const ownRanges = catalogue.flatMap((each) => Object.values(rangeWords(each, own, own)));
    return new Map([...ofRanges, ...ofOne, ...ownRanges.map((word) => [word, own.tag] as const)]);
  };
  const views = viewWords(languages);
  const byTree = new Map(languages.map((own) => [own, wordsFor(own)]));
  return (tree: Language, { detail, errors }: Problem): readonly string[] => {
    const sentences = errors.length > 0 ? errors.map((each) => each.detail) : [detail];
    return sentences
      .flatMap((each) => refusedIn(each, views))
      .flatMap((word) => byTree.get(tree)?.get(word) ?? [])
      .filter((tag) => tag !== tree.tag);
  };
};
