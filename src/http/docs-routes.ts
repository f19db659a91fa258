import type { Exchange } from './env.ts';
import type { Methods } from './methods.ts';
import { chooseType, HTML_TYPE } from './negotiate.ts';
import { type NeutralOptions, PLACES, placesIn } from './neutral.ts';
import { frameOf, pageHeaders, pageLanguage } from './page.ts';
import { refuseQuery } from './read-pairs.ts';
import { searchIn } from './resource.ts';
import { NEUTRAL } from './respond.ts';
import { type Constant, constant, respondConstant } from './respond-constant.ts';

/** The files that pages load, by name; their contents are read when they are first asked for. */
const ASSETS = {
  'icon.svg': 'image/svg+xml',
  'style.css': 'text/css',
  'docs.css': 'text/css',
  'docs.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
} as const;

/** The documentation for people, and what it loads. */
export const docsRoutes = (options: NeutralOptions): Readonly<Record<string, Methods>> => {
  const languageOf = pageLanguage(options);
  const read = new Map<string, Constant>();

  const page = async (c: Exchange): Promise<Response> => {
    chooseType(c.req.raw.headers, [HTML_TYPE]);
    const language = languageOf(c);
    const { docsPage } = await import('../pages/docs-page.ts');
    const frame = frameOf(options, PLACES.documentation, language);
    const { openapi } = placesIn(language);
    const content = await docsPage(frame, { openapi, labels: language.labels });
    return respondConstant(c, constant(content), pageHeaders(language), NEUTRAL);
  };
  const contentOf = async (name: keyof typeof ASSETS): Promise<Constant> => {
    const known = read.get(name);
    if (known) return known;
    const { readAsset } = await import('../pages/assets.ts');
    const content = constant(await readAsset(name));
    read.set(name, content);
    return content;
  };
  const asset = (name: keyof typeof ASSETS) => async (c: Exchange) => {
    const type = ASSETS[name];
    chooseType(c.req.raw.headers, [type]);
    refuseQuery(searchIn(c));
    return respondConstant(c, await contentOf(name), { 'Content-Type': `${type}; charset=utf-8` }, {});
  };

  const assets = Object.keys(ASSETS) as (keyof typeof ASSETS)[];
  return {
    // Both slash forms of a path are one route.
    '/docs': { GET: page },
    ...Object.fromEntries(assets.map((name) => [`/docs/${name}`, { GET: asset(name) }])),
  };
};
