import type { Language } from '../locale/language.ts';
import { RESERVED } from '../locale/reserved.ts';
import type { ProblemCode } from '../texts/problem.ts';
import { isSafe } from './methods.ts';

/** The root of all trees, and of `problems` and other paths that belong to no language. */
export const ROOT = '/api';

/** The only parameter of a page: the language, where a person chooses another than the browser's. */
export const LANG = 'lang';

/** The path of the documentation, and the root of what pages load. */
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

/** Paths that need no key, themselves and everything below: help, words and health, without any data of the catalogue. */
const PUBLIC = [URLS.assets, URLS.dictionaries, URLS.problems, URLS.live, URLS.ready];

const PUBLIC_PREFIXES = [`${OPENAPI}.`, ...PUBLIC.map((each) => `${each}/`)];

/** @param path as sent; a public path in another encoding is not public */
export const isPublic = (path: string): boolean =>
  PUBLIC_PREFIXES.some((prefix) => path.startsWith(prefix)) || PUBLIC.some((each) => path === each);

/** A path of health checks. */
const PROBE = new RegExp(`^(?:${URLS.live}|${URLS.ready})/?$`);

/**
 * What a request asks for, as far as policies care: a health check, help without any data of the catalogue, anything else, or
 * the permission that browsers ask for without a key.
 */
export type AddressKind = 'probe' | 'page' | 'tree' | 'preflight';

/** @param path as sent */
export const addressKind = (method: string, path: string): AddressKind => {
  if (method === 'OPTIONS') return 'preflight';
  if (PROBE.test(path) && isSafe(method)) return 'probe';
  return isPublic(path) ? 'page' : 'tree';
};

/** @returns the URL in the language that a person chose */
export const inLanguage = (url: string, tag: string): string => `${url}?${LANG}=${tag}`;

/** @returns the URL of a language's OpenAPI document; `{language}` makes it a template */
export const openapiUrl = (tag: string): string => `${OPENAPI}.${tag}.json`;

/** The URLs of a language besides its tree. */
export const urlsIn = ({ tag }: Pick<Language, 'tag'>) => ({
  openapi: openapiUrl(tag),
  dictionary: `${URLS.dictionaries}/${tag}`,
  documentation: inLanguage(URLS.documentation, tag),
});

/**
 * @returns the URL of a problem code's explanation; `:code` makes it a route pattern, `{code}` a template, `<code>` a text for
 * people
 */
export const problemPath = (code: ProblemCode | ':code' | '{code}' | '<code>'): string => `${URLS.problems}/${code}`;
