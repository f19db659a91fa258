import type { Asked } from '../http/context.ts';
import { decodeWord, queryTextOf } from '../http/request.ts';
import { ROOT } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import { chooseLanguage, tagFinder } from '../read/choose-language.ts';
import { languageIn } from '../read/query/page-query.ts';

/** Selects the language of a response. */
export type LanguageOf = ReturnType<typeof languageOf>;

/**
 * @param defaultLanguage the tag of the language for clients that ask for none of them
 * @throws TypeError where there is no such language
 */
export const languageOf = (languages: readonly Language[], defaultLanguage: string) => {
  const byTag = new Map(languages.map((language) => [language.tag, language]));
  const byRoot = new Map(
    languages.flatMap((language) => {
      const { names, word } = language.paths(undefined);
      return names.map((name) => [word(name), language] as const);
    }),
  );
  const tags = [defaultLanguage, ...[...byTag.keys()].filter((tag) => tag !== defaultLanguage)];
  const find = tagFinder(tags);
  const fallback = byTag.get(defaultLanguage);
  if (!fallback) throw new TypeError(`no language "${defaultLanguage}"`);
  /** The language of the query, or else of `Accept-Language`; `undefined` where neither names one. */
  const asked = (c: Asked): Language | undefined => {
    const tag =
      languageIn(queryTextOf(c), find) ?? chooseLanguage(c.req.raw.headers.get('accept-language'), find, tags);
    return tag === undefined ? undefined : byTag.get(tag);
  };
  return {
    /** The tree's language: the path alone decides, even where it matches no route. `undefined` outside every tree. */
    tree: (target: string): Language | undefined => {
      if (!target.startsWith(`${ROOT}/`)) return undefined;
      const [segment = ''] = target.slice(ROOT.length + 1).split(/[/?#]/, 1);
      return byRoot.get(decodeWord(segment) ?? '');
    },
    asked,
    /** Outside the trees: the language asked for, or the default one. */
    neutral: (c: Asked): Language => asked(c) ?? fallback,
  };
};
