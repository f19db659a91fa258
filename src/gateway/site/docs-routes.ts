import type { Routes } from '../dispatch/methods.ts';
import { VARY_TYPE } from '../http/headers.ts';
import { URLS, urlsIn } from '../http/urls.ts';
import { get } from '../read/accept.ts';
import { refuseQuery } from '../read/query/refusing.ts';
import { type Constant, constant, respondConstant } from '../write/static.ts';
import { constantOf, data, json, oncePerTree, page, type SiteOptions, shown } from './shown.ts';

/** The OpenAPI documents, one per language. */
const openapiRoutes = (options: SiteOptions): Routes => {
  const documentIn = oncePerTree(options, async (tree) => {
    // Loaded when a document is first requested, to save time at start and memory.
    const { documentOf } = await import('../openapi/document.ts');
    return constantOf(documentOf(tree, options));
  });
  const document = data(async (language) => json(await documentIn(language), language.inDocument));
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
export const docsRoutes = (options: SiteOptions): Routes => ({
  ...openapiRoutes(options),
  // Both slash forms of a path are one route.
  [URLS.assets]: {
    GET: shown(options, [page(async (language) => (await import('./pages/docs-page.ts')).docsPage(options, language))]),
  },
  ...assetRoutes(),
});
