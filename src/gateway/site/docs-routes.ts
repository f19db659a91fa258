import type { Methods } from '../dispatch/methods.ts';
import { HTML_TYPE, VARY_TYPE, VARY_TYPE_AND_LANGUAGE } from '../http/headers.ts';
import { URLS, urlsIn } from '../http/urls.ts';
import { get } from '../read/get.ts';
import { pageQueryCheck } from '../read/query/page-query.ts';
import { refuseQuery } from '../read/query/query-string.ts';
import { type Constant, constant, respondConstant } from '../write/static.ts';
import type { SiteOptions } from './options.ts';
import { frameOf, pageHeaders } from './page.ts';

/** The media types of the files that pages load; no other file can be requested, and each is read when it is first requested. */
const ASSETS = {
  'icon.svg': 'image/svg+xml',
  'style.css': 'text/css',
  'browse.js': 'text/javascript',
  'elements.js': 'text/javascript',
  'copy.js': 'text/javascript',
  'docs.css': 'text/css',
  'docs.js': 'text/javascript',
  'display.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
} as const;

/** The documentation page, and the files it loads. */
export const docsRoutes = (options: SiteOptions): Readonly<Record<string, Methods>> => {
  const { trees, responseLanguage } = options;
  const checkQuery = pageQueryCheck(trees.map(({ language }) => language.tag));
  const read = new Map<string, Constant>();

  const page = get([{ type: HTML_TYPE }], checkQuery, async (c) => {
    const language = responseLanguage.neutral(c);
    const { docsPage } = await import('./pages/docs-page.ts');
    const frame = frameOf(options, URLS.documentation, language);
    const { openapi } = urlsIn(language);
    const content = await docsPage(frame, { tag: language.documents.tag, openapi, labels: language.pages.labels });
    return respondConstant(c, constant(content), pageHeaders(language), VARY_TYPE_AND_LANGUAGE);
  });
  const contentOf = async (name: keyof typeof ASSETS): Promise<Constant> => {
    const known = read.get(name);
    if (known) return known;
    const { readAsset } = await import('./pages/assets.ts');
    const content = constant(await readAsset(name));
    read.set(name, content);
    return content;
  };
  const asset = (name: keyof typeof ASSETS) =>
    get([{ type: ASSETS[name] }], refuseQuery, async (c, { type }) =>
      respondConstant(c, await contentOf(name), { 'Content-Type': `${type}; charset=utf-8` }, VARY_TYPE),
    );

  const assets = Object.keys(ASSETS) as (keyof typeof ASSETS)[];
  return {
    // Both slash forms of a path are one route.
    [URLS.assets]: { GET: page },
    ...Object.fromEntries(assets.map((name) => [`${URLS.assets}/${name}`, { GET: asset(name) }])),
  };
};
