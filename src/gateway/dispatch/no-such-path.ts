import { WordIndex } from '../../../packages/vocabularies/src/words.ts';
import { decode, splitPath, targetPath } from '../http/request.ts';
import { listTemplate, ROOT, URLS } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import type { Catalogue, Collection } from '../model/catalogue.ts';
import { sentence, TEXT_LIMIT, unknownSentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';

const encode = (segments: readonly string[]): string =>
  ROOT + segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');

function findWord(words: WordIndex, sent: string, isExact: boolean): string | undefined {
  const name = words.name(sent);
  if (name !== undefined) return words.word(name);
  return isExact ? undefined : words.suggest(sent);
}

/**
 * Walks the segments of a path below the root, by turns the word of a collection and a key, and replaces each misspelt or foreign
 * word. The word of what there is beside a list may come first.
 *
 * @returns the path in one language's words, or `undefined` if its tree has no such path
 */
export function correctPath(
  catalogue: Catalogue,
  language: Language,
  segments: readonly string[],
  isExact: boolean,
  isViewExact = false,
): string | undefined {
  const view = findWord(language.views, segments[0] ?? '', isViewExact);
  // An item has none.
  if (view !== undefined && segments.length % 2 === 1) return undefined;
  const fixed = view === undefined ? [] : [view];
  let parent: Collection | undefined;
  for (let at = fixed.length; at < segments.length; at += 2) {
    const [sent = '', key] = segments.slice(at, at + 2);
    const words = language.paths(parent);
    const word = findWord(words, sent, isExact);
    if (word === undefined || key === '') return undefined;
    fixed.push(word, ...(key === undefined ? [] : [key]));
    const name = words.name(word);
    const found = catalogue.find((each) => each.name === name && each.parent === parent);
    if (found?.nested && key !== undefined) return undefined;
    parent = found;
  }
  return fixed.length === 0 ? undefined : encode(fixed);
}

/** @returns the template of the lists of a nested collection whose word stands at the top */
function findNestedList(
  catalogue: Catalogue,
  language: Language,
  [first = '']: readonly string[],
  isExact: boolean,
): string | undefined {
  const nested = catalogue.find(({ parent, name }) => {
    const words = parent && language.paths(parent);
    const word = words && findWord(words, first, isExact);
    return word !== undefined && words?.name(word) === name;
  });
  return nested && listTemplate(language, nested);
}

/** How many segments before a path may be wrong: `/coches`, `/v1/coches`, `/api/v1/coches`. */
const TAILS = [0, 1, 2];

/**
 * @returns a function that makes `no-such-path` problems: in a tree with its path that was meant, and outside of them with one
 *   in the first language that has it, with a URL that belongs to no language, or with the index. It also says of which
 *   language that path is
 */
export const pathProblem =
  (catalogue: Catalogue, views: ReadonlySet<string>) =>
  (
    target: string,
    languages: readonly Language[],
    isInTree: boolean,
  ): { problem: Problem; language: Language | undefined } => {
    const sent = targetPath(target);
    const path = decode(sent) ?? sent;
    const undecoded = sent.split('/');
    const decoded = splitPath(sent.replace(/\/$/, ''), views);
    const [, ...segments] = decoded.map((segment, at) => segment ?? undecoded[at] ?? '');
    const tails = (isInTree ? [1] : TAILS).map((start) => segments.slice(start));
    // A path in a language's own words comes before one in those of the language that is asked for.
    const [meant] = [true, false].flatMap((isExact) =>
      tails.flatMap((tail) =>
        languages.flatMap((language) =>
          [correctPath, findNestedList]
            .map((way) => ({ language, suggestion: way(catalogue, language, tail, isExact) }))
            // One that is too long to be read is left out.
            .filter((each) => each.suggestion !== undefined && each.suggestion.length <= TEXT_LIMIT),
        ),
      ),
    );
    const urls = languages.flatMap((language) => language.urls);
    const site = isInTree ? undefined : new WordIndex(URLS, [], urls);
    const neutral = segments.toReversed().map((each) => site?.equivalent(each));
    const suggestion = meant?.suggestion ?? neutral.find((url) => url !== undefined);
    if (suggestion !== undefined || isInTree) {
      const problem = new Problem('no-such-path', unknownSentence('path', { path }, suggestion), { suggestion });
      return { problem, language: meant?.language };
    }
    const detail = sentence('path-outside', { path, index: URLS.index });
    return { problem: new Problem('no-such-path', detail, { suggestion: URLS.index }), language: undefined };
  };
