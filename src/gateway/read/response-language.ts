/** The language of a response, by a request's path, its query and `Accept-Language`. */

import { chooseLanguage, tagFinder } from '../../../packages/vocabularies/src/accept-language.ts';
import { WordIndex } from '../../../packages/vocabularies/src/words.ts';
import type { RequestContext } from '../http/context.ts';
import { readQueryText, splitPath, targetPath } from '../http/exchange.ts';
import { LANG, ROOT } from '../http/urls.ts';
import { type Language, subresourceWords } from '../locale/language.ts';
import { sentence } from '../texts/phrase.ts';
import { invalid, parseOnce, throwErrors, unknown } from './query/parameter.ts';
import { parseQuery } from './query/query.ts';

const parameters = new WordIndex({ [LANG]: LANG });

export type LanguageSelector = ReturnType<typeof createLanguageSelector>;

/** @param defaultLanguage the tag for clients that ask for none of the languages. @throws TypeError if there is no such language */
export function createLanguageSelector(languages: readonly Language[], defaultLanguage: string) {
  const byTag = new Map(languages.map((language) => [language.tag, language]));
  const roots = languages.flatMap((language) => {
    const { dictionary, former } = language.paths(undefined);
    const words = [...Object.values(dictionary), ...former().map(({ word }) => word)];
    return words.map((word) => [word, language] as const);
  });
  const byRoot = new Map(roots);
  const views = subresourceWords(languages);
  const fallback = byTag.get(defaultLanguage);
  if (!fallback) throw new TypeError(`no language "${defaultLanguage}"`);
  const tags = [...new Set([defaultLanguage, ...byTag.keys()])];
  const findTag = tagFinder(tags);
  const known = [...byTag.keys()].join(', ');
  const checkTag = parseOnce(LANG, (value) =>
    findTag(value) === undefined ? invalid(LANG, sentence('language-unknown', { value, known })) : undefined,
  );
  const requested = (c: RequestContext): Language | undefined => {
    const search = readQueryText(c);
    const named = search.includes(LANG) ? findTag(parseQuery(search).values.get(LANG)?.[0] ?? '') : undefined;
    const tag = named ?? chooseLanguage(c.req.raw.headers.get('accept-language'), findTag, tags);
    return tag === undefined ? undefined : byTag.get(tag);
  };
  return {
    /** @returns the tree's language: the path alone decides, even if it matches no route; `undefined` outside every tree */
    tree: (target: string): Language | undefined => {
      if (!target.startsWith(`${ROOT}/`)) return undefined;
      const [first = '', second = ''] = splitPath(targetPath(target), views).slice(2);
      return byRoot.get(views.has(first) ? second : first);
    },
    /** @returns the language of the query, or else of `Accept-Language`; `undefined` if neither names one. Errors are ignored */
    requested,
    /** @returns the language of what is outside the trees: that which is asked for, or the default one */
    neutral: (c: RequestContext): Language => requested(c) ?? fallback,
    /** Checks the query of a page, which may name its language. @throws Problem with all its errors */
    checkQuery: (search: string): void => {
      if (search === '') return;
      const { values, errors } = parseQuery(search);
      for (const [word, texts] of values) {
        const suggestion = parameters.suggest(word);
        const error = word === LANG ? checkTag(texts, values) : () => unknown(word, parameters, { suggestion });
        if (error) errors.push(error);
      }
      throwErrors(errors);
    },
  };
}
