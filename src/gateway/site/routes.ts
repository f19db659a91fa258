import type { Routes } from '../dispatch/methods.ts';
import type { Exchange } from '../http/context.ts';
import { HTML_TYPE, JSON_TYPE, VARY_TYPE } from '../http/respond.ts';
import { inLanguage, problemPath, type Tree, URLS, urlsIn } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import { get } from '../read/accept.ts';
import { refuseQuery } from '../read/query/query.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem, type ProblemCode, problems } from '../texts/problem.ts';
import { type Constant, constant, respondConstant } from '../write/static.ts';
import { dictionaryOf } from './content/dictionary.ts';
import {
  atTop,
  dictionaryLinks,
  explanationOf,
  explanationsIn,
  indexOf,
  type ServiceIndex,
} from './content/service.ts';
import { healthRoutes } from './health.ts';
import { data, oncePerTree, page, type SiteOptions, shown, writeJson } from './shown.ts';

/** Links by which programs find documents, documentation and health (RFC 8631), and the same in other languages. */
const linksFrom = (path: string, chosen: Language, languages: readonly Language[]): string => {
  const others = languages.filter((each) => each !== chosen);
  const described = [chosen, ...others].flatMap((language) => {
    const { openapi, documentation } = urlsIn(language);
    return [
      `<${openapi}>; rel="service-desc"; type="${JSON_TYPE}"; hreflang="${language.tag}"`,
      `<${documentation}>; rel="service-doc"; type="${HTML_TYPE}"; hreflang="${language.tag}"`,
    ];
  });
  const alternates = others
    .filter(({ tag, pages }) => tag === pages.tag)
    .map(({ tag }) => `<${inLanguage(path, tag)}>; rel="alternate"; hreflang="${tag}"`);
  return [...described, `<${URLS.ready}>; rel="status"`, ...alternates].join(', ');
};

/** The index of the service: a page for people, JSON for programs. */
const indexRoutes = (options: SiteOptions): Routes => {
  const { catalogue, trees, store, countHooks } = options;
  const languages = trees.map(({ language }) => language);
  const indexIn = async (language: Language): Promise<ServiceIndex> => {
    const counts = atTop(catalogue).map(async (each) => [each.name, await store.countRows(each)] as const);
    return indexOf(options, language, Object.fromEntries(await Promise.all(counts)), await countHooks?.());
  };
  const read = (path: string) =>
    shown(
      options,
      [
        data(
          async (language) => writeJson(await indexIn(language)),
          ({ pages }) => pages.tag,
        ),
        page(async (language) => {
          const [index, { indexPage }] = await Promise.all([indexIn(language), import('./pages/index-page.ts')]);
          return indexPage(options, path, language, index);
        }),
      ],
      { headers: (language) => ({ Link: linksFrom(path, language, languages) }) },
    );
  return { '/': { GET: read('/') }, [URLS.index]: { GET: read(URLS.index) } };
};

/** The words of every tree, as data. */
const dictionaryRoutes = (options: SiteOptions): Routes => {
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
    return writeJson(dictionaryOf(contextOf(tree, options)));
  });
  return {
    [URLS.dictionaries]: {
      GET: shown(options, [data(({ tag }) => writeJson(dictionaryLinks(options, tag)))]),
    },
    [`${URLS.dictionaries}/:tag`]: {
      GET: shown(options, [data(dictionaryIn)], {
        languageOf: (c) => treeOf(c).language,
      }),
      OPTIONS: (c) => void treeOf(c),
    },
  };
};

/** The OpenAPI documents, one per language. */
const openapiRoutes = (options: SiteOptions): Routes => {
  const documentIn = oncePerTree(options, async (tree) => {
    // Loaded when a document is first requested, to save time at start and memory.
    const { documentOf } = await import('../openapi/document.ts');
    return writeJson(documentOf(tree, options));
  });
  const document = data(documentIn, ({ inDocument }) => inDocument);
  return {
    [URLS.openapi]: {
      GET: shown(options, [document], {
        varying: (language) => ({ 'Content-Location': urlsIn(language).openapi }),
      }),
    },
    ...Object.fromEntries(
      options.trees.map(({ language }) => [
        urlsIn(language).openapi,
        { GET: shown(options, [document], { languageOf: () => language }) },
      ]),
    ),
  };
};

/** The media types of the files that pages load; no other file can be requested, and each is read when it is first requested. */
const ASSETS = {
  'icon.svg': 'image/svg+xml',
  'style.css': 'text/css',
  'browse.js': 'text/javascript',
  'key.js': 'text/javascript',
  'docs.css': 'text/css',
  'docs.js': 'text/javascript',
  'display.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
} as const;

const assetRoutes = (): Routes => {
  const read = new Map<string, Constant>();
  const contentOf = async (name: string): Promise<Constant> => {
    const known = read.get(name);
    if (known) return known;
    const { readAsset } = await import('./pages/assets.ts');
    const content = constant(await readAsset(name));
    read.set(name, content);
    return content;
  };
  return Object.fromEntries(
    Object.entries(ASSETS).map(([name, type]) => [
      `${URLS.assets}/${name}`,
      {
        GET: get([{ type }], refuseQuery, async (c) =>
          respondConstant(c, await contentOf(name), { 'Content-Type': `${type}; charset=utf-8` }, VARY_TYPE),
        ),
      },
    ]),
  );
};

/** The OpenAPI documents, the page that shows them, and the files that pages load. */
const docsRoutes = (options: SiteOptions): Routes => ({
  ...openapiRoutes(options),
  // Both slash forms of a path are one route.
  [URLS.assets]: {
    GET: shown(options, [page(async (language) => (await import('./pages/docs-page.ts')).docsPage(options, language))]),
  },
  ...assetRoutes(),
});

const isCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

const codeIn = (c: Exchange): ProblemCode => {
  const code = c.req.param('code') ?? '';
  if (!isCode(code)) throw new Problem('not-found', sentence('problem-unknown', { code }));
  return code;
};

const loadProblemPages = () => import('./pages/problem-page.ts');

/** Explanations of problem codes, to which the `type` of a problem leads: pages for people, JSON for programs. */
const problemRoutes = (options: SiteOptions): Routes => ({
  [URLS.problems]: {
    GET: shown(options, [
      data((language) => writeJson(explanationsIn(language))),
      page(async (language) => (await loadProblemPages()).problemsPage(options, language)),
    ]),
  },
  [problemPath(':code')]: {
    GET: shown(options, [
      data((language, c) => writeJson(explanationOf(language, codeIn(c)))),
      page(async (language, c) => (await loadProblemPages()).problemPage(options, language, codeIn(c))),
    ]),
    OPTIONS: (c) => void codeIn(c),
  },
});

/** The routes that belong to no language. */
export const siteRoutes = (options: SiteOptions): Routes => ({
  ...indexRoutes(options),
  ...dictionaryRoutes(options),
  ...docsRoutes(options),
  ...problemRoutes(options),
  ...healthRoutes(options),
});
