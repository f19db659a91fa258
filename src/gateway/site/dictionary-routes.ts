import type { Routes } from '../dispatch/methods.ts';
import type { Exchange } from '../http/context.ts';
import { type Tree, URLS } from '../http/urls.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { dictionaryOf } from './content/dictionary.ts';
import { dictionaryLinks } from './content/service.ts';
import { constantOf, data, json, oncePerTree, type SiteOptions, shown } from './shown.ts';

/** The words of every tree, as data. */
export const dictionaryRoutes = (options: SiteOptions): Routes => {
  const { trees } = options;
  const treeOf = (c: Exchange): Tree => {
    const value = c.req.param('tag') ?? '';
    const tree = trees.find(({ language }) => language.tag === value);
    if (tree) return tree;
    const known = trees.map(({ language }) => language.tag).join(', ');
    throw new Problem('not-found', sentence('language-unknown', { value, known }));
  };
  const dictionaryIn = oncePerTree(options, async (tree) => {
    const { contextOf } = await import('../openapi/shared/context.ts');
    return constantOf(dictionaryOf(contextOf(tree, options)));
  });
  return {
    [URLS.dictionaries]: {
      GET: shown(options, [data(({ tag }) => json(constantOf(dictionaryLinks(options, tag)), tag))]),
    },
    [`${URLS.dictionaries}/:tag`]: {
      GET: shown(options, [data(async (language) => json(await dictionaryIn(language), language.tag))], {
        languageOf: (c) => treeOf(c).language,
      }),
      OPTIONS: (c) => void treeOf(c),
    },
  };
};
