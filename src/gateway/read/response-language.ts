/** The language of a response, by a request's path, its query and `Accept-Language`. */

import { WordIndex } from '../../../packages/vocabularies/src/words.ts';
import type { Asked } from '../http/context.ts';
import { readQueryText, splitPath, targetPath } from '../http/exchange.ts';
import { LANG, ROOT } from '../http/urls.ts';
import { type Language, viewWords } from '../locale/language.ts';
import { sentence } from '../texts/phrase.ts';
import { chooseLanguage, tagFinder } from './accept-language.ts';
import { invalid, once, throwAny, unknown } from './query/parameter.ts';
import { parseQuery } from './query/query.ts';

/** The parameters of a page. */
const parameters = new WordIndex({ [LANG]: LANG });

/** Selects the language of a response. */
export type LanguageSelector = ReturnType<typeof createLanguageSelector>;

/**
 * @param defaultLanguage the tag of the language for clients that ask for none of them
 * @throws TypeError where there is no such language
 */
export const createLanguageSelector = (languages: readonly Language[], defaultLanguage: string) => {
  const byTag = new Map(languages.map((language) => [language.tag, language]));
  const byRoot = new Map(
    languages.flatMap((language) => {
      const { names, word, former } = language.paths(undefined);
      const words = [...names.map(word), ...former().map((each) => each.word)];
      return words.map((each) => [each, language] as const);
    }),
  );
  const views = viewWords(languages);
  const fallback = byTag.get(defaultLanguage);
  if (!fallback) throw new TypeError(`no language "${defaultLanguage}"`);
  const tags = [...new Set([defaultLanguage, ...byTag.keys()])];
  const find = tagFinder(tags);
  /** Errors of the query are ignored. */
  const named = (search: string): string | undefined =>
    search.includes(LANG) ? find(parseQuery(search).values.get(LANG)?.[0] ?? '') : undefined;
  /** The language of the query, or else of `Accept-Language`; `undefined` where neither names one. */
  const asked = (c: Asked): Language | undefined => {
    const tag = named(readQueryText(c)) ?? chooseLanguage(c.req.raw.headers.get('accept-language'), find, tags);
    return tag === undefined ? undefined : byTag.get(tag);
  };
  const checkTag = once(LANG, (value) =>
    find(value) === undefined
      ? invalid(LANG, sentence('language-unknown', { value, known: [...byTag.keys()].join(', ') }))
      : undefined,
  );
  return {
    /** The tree's language: the path alone decides, even where it matches no route. `undefined` outside every tree. */
    tree: (target: string): Language | undefined => {
      if (!target.startsWith(`${ROOT}/`)) return undefined;
      const [first = '', second = ''] = splitPath(targetPath(target), views).slice(2);
      return byRoot.get(views.has(first) ? second : first);
    },
    asked,
    /** Outside the trees: the language asked for, or the default one. */
    neutral: (c: Asked): Language => asked(c) ?? fallback,
    /** Checks the query of a page, which may name its language. @throws Problem with all its errors */
    checkQuery: (search: string): void => {
      if (search === '') return;
      const { values, errors } = parseQuery(search);
      for (const [word, sent] of values) {
        const error =
          word === LANG
            ? checkTag(sent, values)
            : () => unknown(word, parameters, { suggestion: parameters.suggest(word) });
        if (error) errors.push(error);
      }
      throwAny(errors);
    },
  };
};
