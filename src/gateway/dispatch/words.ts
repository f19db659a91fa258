/** Words that a tree does not have: former ones are read with the new ones, misspelt ones and those of other languages get a suggestion. */
import type { Hono } from 'hono';
import { endOfUse, type FormerWord, WordIndex } from '../../../packages/vocabularies/src/words.ts';
import type { Env } from '../http/context.ts';
import { decode, requestTarget, splitPath, targetPath } from '../http/exchange.ts';
import { listTemplate, listUrls, ROOT, URLS } from '../http/urls.ts';
import { FormerUses } from '../locale/history.ts';
import { type Language, subresourceWords } from '../locale/language.ts';
import type { Catalogue, Collection } from '../model/catalogue.ts';
import { sentence, TEXT_LIMIT, unknownSentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';

function findWord(words: WordIndex, segment: string, isExact: boolean): string | undefined {
  const name = words.name(segment);
  if (name !== undefined) return words.word(name);
  return isExact ? undefined : words.suggest(segment);
}

/**
 * Walks `/<collection>/<key>/…`, perhaps behind the word of a view, and replaces each misspelt or foreign collection word.
 *
 * @returns the path in one language's words; `undefined` if its tree has no such path
 */
function correctPath(
  catalogue: Catalogue,
  language: Language,
  segments: readonly string[],
  isExact: boolean,
  isViewExact = false,
): string | undefined {
  const view = findWord(language.subresources, segments[0] ?? '', isViewExact);
  // An item has none.
  if (view !== undefined && segments.length % 2 === 1) return undefined;
  const fixed = view === undefined ? [] : [view];
  let parent: Collection | undefined;
  for (let at = fixed.length; at < segments.length; at += 2) {
    const [segment = '', key] = segments.slice(at, at + 2);
    const words = language.paths(parent);
    const word = findWord(words, segment, isExact);
    if (word === undefined || key === '') return undefined;
    fixed.push(word, ...(key === undefined ? [] : [key]));
    const name = words.name(word);
    const current = catalogue.find((other) => other.name === name && other.parent === parent);
    if (current?.flattens && key !== undefined) return undefined;
    parent = current;
  }
  if (fixed.length === 0) return undefined;
  return ROOT + fixed.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}

const suggestPath: typeof findNestedList = (catalogue, language, segments, isExact) => {
  const path = correctPath(catalogue, language, segments, isExact);
  return path && language.base + path;
};

/** @returns the template of the lists of a nested collection whose word stands at the top */
function findNestedList(catalogue: Catalogue, language: Language, [first = '']: readonly string[], isExact: boolean) {
  const nested = catalogue.find(({ parent, name }) => {
    const words = parent && language.paths(parent);
    const word = words && findWord(words, first, isExact);
    return word !== undefined && words?.name(word) === name;
  });
  return nested && listTemplate(language, nested);
}

/** Segments in which synonyms are looked for: no path of ours is longer. */
const LONGEST_PATH = 8;

/** How many segments before a path may be wrong: `/coches`, `/v1/coches`, `/api/v1/coches`. */
const TAILS = [0, 1, 2];

/** @returns the problem of a path that does not exist, and the language of the path that it suggests, the first of those given that has it */
export function unknownPath(
  catalogue: Catalogue,
  views: ReadonlySet<string>,
  target: string,
  languages: readonly Language[],
  isInTree: boolean,
): { readonly problem: Problem; readonly language: Language | undefined } {
  const below = targetPath(target);
  const undecoded = below.split('/');
  const decoded = splitPath(below.replace(/\/$/, ''), views);
  const [, ...segments] = decoded.map((segment, at) => segment ?? undecoded[at] ?? '');
  const tails = (isInTree ? [1] : TAILS).map((start) => segments.slice(start));
  // A path in a language's own words, or else synonyms, comes before one in those of the language that is asked for.
  const knowing = languages.filter(({ knowsPath }) => segments.slice(0, LONGEST_PATH).some(knowsPath));
  const bySynonym = [...new Set([...knowing, ...languages])];
  const [firstMatch] = [true, false].flatMap((isExact) =>
    tails.flatMap((tail) =>
      (isExact ? languages : bySynonym).flatMap((language) =>
        [suggestPath, findNestedList]
          .map((find) => ({ language, suggestion: find(catalogue, language, tail, isExact) }))
          // A suggestion that is too long to be read is left out.
          .filter(({ suggestion }) => suggestion !== undefined && suggestion.length <= TEXT_LIMIT),
      ),
    ),
  );
  const urlSynonyms = languages.flatMap(({ urls }) => urls);
  const site = isInTree ? undefined : new WordIndex(URLS, [], urlSynonyms);
  const neutral = segments.toReversed().map((segment) => site?.equivalent(segment));
  const base = languages[0]?.base ?? '';
  const outside = neutral.find((url) => url !== undefined);
  const suggestion = firstMatch?.suggestion ?? (outside && base + outside);
  const path = base + (decode(below) ?? below);
  if (suggestion === undefined && !isInTree) {
    const index = base + URLS.index;
    const detail = sentence('path-outside', { path, index });
    return { problem: new Problem('no-such-path', detail, { suggestion: index }), language: undefined };
  }
  const problem = new Problem('no-such-path', unknownSentence('path', { path }, suggestion), { suggestion });
  return { problem, language: firstMatch?.language };
}

/** Makes the function that replaces the former words of a path. @returns `undefined` if no table lists any */
export function createPathUpdater(catalogue: Catalogue, all: readonly Language[]) {
  const languages = all.filter(({ deprecatedWords }) => deprecatedWords.length > 0);
  if (languages.length === 0) return undefined;
  const views = subresourceWords(languages);
  return (target: string) => {
    const path = targetPath(target);
    if (!path.startsWith(`${ROOT}/`)) return target;
    const segments = splitPath(path.replace(/\/$/, ''), views).slice(2);
    if (segments.includes(undefined)) return target;
    const words = segments.map((segment) => segment ?? '');
    const [currentPath] = languages.flatMap((language) => correctPath(catalogue, language, words, true, true) ?? []);
    return currentPath === undefined ? target : currentPath + target.slice(path.length);
  };
}

/** Has the app read what requests have by former words, and say so in its responses (RFC 9745, RFC 8594). */
export function acceptFormerWords(
  app: Hono<Env>,
  languages: readonly Language[],
  update: ((target: string) => string) | undefined,
  onUse: (former: FormerWord) => void = () => {},
): void {
  const log = languages[0]?.formerLog;
  if (!update || !log) return;
  app.use(async (c, next) => {
    const formerWords = new FormerUses(log);
    const target = formerWords.during(() => update(requestTarget(c.req.raw, c.env)));
    c.env = { ...c.env, target, formerWords };
    await next();
    const { words } = formerWords;
    if (words.length === 0) return;
    for (const word of words) onUse(word);
    const { headers } = c.res;
    // Since when the first word is former, and until when the first one is accepted.
    headers.set('Deprecation', `@${Math.min(...words.map(({ since }) => Date.parse(since))) / 1_000}`);
    headers.set('Sunset', new Date(Math.min(...words.map(endOfUse)) - 1_000).toUTCString());
    for (const language of languages.filter(({ tag }) => words.some((word) => word.language === tag)))
      headers.append('Link', `<${listUrls(language).dictionary}>; rel="deprecation"; type="application/json"`);
  });
}
