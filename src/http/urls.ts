import type { Language } from '../locale/language.ts';
import { RESERVED } from '../locale/reserved.ts';
import type { ProblemCode } from '../texts/problem.ts';

/** Below this stand the trees; beside them, `problems` and other paths that belong to no language. */
export const ROOT = '/api';

/** The one parameter of a page: a language, where a person chooses another one than the browser asks for. */
export const LANG = 'lang';

/** What pages load stands below this, and the documentation at it. */
const ASSETS = `/${RESERVED.documentation}`;

const OPENAPI = `${ROOT}/${RESERVED.openapi}`;

/** Routes that belong to no language. */
export const URLS = {
  index: ROOT,
  openapi: `${OPENAPI}.json`,
  dictionaries: `${ROOT}/${RESERVED.dictionaries}`,
  problems: `${ROOT}/${RESERVED.problems}`,
  assets: ASSETS,
  documentation: `${ASSETS}/`,
  live: '/livez',
  ready: '/readyz',
} as const;

/** Below these paths, and at them, nothing is told of the catalogue: what one needs to use the service, and its health. */
const PUBLIC = [URLS.assets, URLS.dictionaries, URLS.problems, URLS.live, URLS.ready];

const PUBLIC_PREFIXES = [`${OPENAPI}.`, ...PUBLIC.map((each) => `${each}/`)];

/** @param path as it was sent; another encoding of a public path is not public */
export const isPublic = (path: string): boolean =>
  PUBLIC_PREFIXES.some((prefix) => path.startsWith(prefix)) || PUBLIC.some((each) => path === each);

/** @returns the same URL in a language that a person chose */
export const inLanguage = (url: string, tag: string): string => `${url}?${LANG}=${tag}`;

/** @returns where the OpenAPI document of a language is; `{language}` makes it a template */
export const openapiUrl = (tag: string): string => `${OPENAPI}.${tag}.json`;

/** The URLs that one language has besides its tree. */
export const urlsIn = ({ tag }: Pick<Language, 'tag'>) => ({
  openapi: openapiUrl(tag),
  dictionary: `${URLS.dictionaries}/${tag}`,
  documentation: inLanguage(URLS.documentation, tag),
});

/** @returns where a problem code is explained; `:code` makes it a route pattern, `{code}` a template, `<code>` a text for people */
export const problemPath = (code: ProblemCode | ':code' | '{code}' | '<code>'): string => `${URLS.problems}/${code}`;
