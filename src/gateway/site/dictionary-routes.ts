import type { Methods } from '../dispatch/methods.ts';
import type { Exchange } from '../http/context.ts';
import { JSON_TYPE, VARY_TYPE_AND_LANGUAGE } from '../http/headers.ts';
import { URLS, urlsIn } from '../http/urls.ts';
import { autonymOf, languageName } from '../locale/names.ts';
import { JSON_ONLY } from '../read/accept.ts';
import { get } from '../read/get.ts';
import { refuseQuery } from '../read/query/query-string.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { type Constant, constant, respondConstant } from '../write/static.ts';
import { dictionaryOf } from './content/dictionary.ts';
import type { SiteOptions } from './options.ts';

/** The words of every tree, as data. */
export const dictionaryRoutes = ({
  catalogue,
  trees,
  responseLanguage,
}: SiteOptions): Readonly<Record<string, Methods>> => {
  const tags = trees.map(({ language }) => language.tag);
  const made = new Map<string, Constant>();
  const dictionaryIn = (tag: string): Constant => {
    const known = made.get(tag);
    if (known) return known;
    const tree = trees.find(({ language }) => language.tag === tag);
    if (!tree) {
      throw new Problem('not-found', sentence('language-unknown', { value: tag, known: tags.join(', ') }));
    }
    const dictionary = constant(JSON.stringify(dictionaryOf(tree, catalogue)));
    made.set(tag, dictionary);
    return dictionary;
  };
  const tagIn = (c: Exchange): string => c.req.param('tag') ?? '';
  const json = (c: Exchange, tag: string, content: Constant): Response =>
    respondConstant(c, content, { 'Content-Type': JSON_TYPE, 'Content-Language': tag }, VARY_TYPE_AND_LANGUAGE);

  return {
    [URLS.dictionaries]: {
      GET: get(JSON_ONLY, refuseQuery, (c) => {
        const { tag: asked } = responseLanguage.neutral(c);
        const list = trees.map(({ language }) => ({
          tag: language.tag,
          name: autonymOf(language.tag),
          translatedName: languageName(language.tag, asked),
          url: urlsIn(language).dictionary,
        }));
        return json(c, asked, constant(JSON.stringify(list)));
      }),
    },
    [`${URLS.dictionaries}/:tag`]: {
      GET: get(JSON_ONLY, refuseQuery, (c) => {
        const tag = tagIn(c);
        return json(c, tag, dictionaryIn(tag));
      }),
      OPTIONS: (c) => dictionaryIn(tagIn(c)),
    },
  };
};
