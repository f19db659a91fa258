import type { Language } from '../locale/language.ts';
import { RESERVED } from '../locale/reserved.ts';
import { allLists, type Catalogue, type Collection, perCollection } from '../model/catalogue.ts';
import type { Subresource } from '../model/query.ts';
import type { Keys } from '../port/port.ts';
import type { ProblemCode } from '../texts/problem.ts';

/** The root of all trees, and of `problems` and other paths that belong to no language. */
export const ROOT = '/api';

/** The only parameter of a page: the language, if a person chooses another than the browser's. */
export const LANG = 'lang';

/** The path of the documentation, and the root of what pages load. */
const ASSETS = `/${RESERVED.documentation}`;

export const OPENAPI = `${ROOT}/${RESERVED.openapi}`;

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

export const inLanguage = (url: string, tag: string): string => `${url}?${LANG}=${tag}`;

/** @returns the path of a language's OpenAPI document, below the base; `{language}` makes it a template */
export const openapiUrl = (tag: string): string => `${OPENAPI}.${tag}.json`;

export const listUrls = ({ tag, base }: Pick<Language, 'tag' | 'base'>) => ({
  openapi: base + openapiUrl(tag),
  dictionary: `${base}${URLS.dictionaries}/${tag}`,
  documentation: inLanguage(base + URLS.documentation, tag),
});

/** @returns the path of a problem code's explanation, below the base: as a route pattern, a template, or a text for people, too */
export const problemPath = (code: ProblemCode | ':code' | '{code}' | '<code>'): string => `${URLS.problems}/${code}`;

/** @returns what to do about a problem; tables name the index without what stands before it */
export const writeRemedy = (language: Language, code: ProblemCode): string =>
  language.problem(code).remedy.replace(ROOT, language.base + ROOT);

/** The paths of one collection in one language. Keys are in order, the top collection's first; extra ones are ignored. */
interface Paths {
  /** Route patterns; their parameters are named as the collections are. */
  readonly listPattern: string;
  readonly itemPattern: string;
  readonly subresourcePattern: (view: Subresource) => string;
  /** Absolute, percent-encoded, without a trailing slash. */
  readonly list: (keys: Keys) => string;
  readonly item: (keys: Keys) => string;
}

export interface Tree {
  readonly language: Language;
  readonly paths: (collection: Collection) => Paths;
}

function createPaths(language: Language, collection: Collection): Paths {
  const { name, parent } = collection;
  const segment = encodeURIComponent(language.paths(parent).word(name));
  const above = parent && createPaths(language, parent);
  const keyAt = keyNames(collection).length - 1;
  const listPattern = `${above?.itemPattern ?? ROOT}/${segment}`;
  const list = (keys: Keys): string => (above ? `${above.item(keys)}/${segment}` : language.base + listPattern);
  return {
    listPattern,
    itemPattern: `${listPattern}/:${name}`,
    subresourcePattern: (view) =>
      `${ROOT}/${encodeURIComponent(language.subresources.word(view))}${listPattern.slice(ROOT.length)}`,
    list,
    item: (keys) => `${list(keys)}/${encodeURIComponent(keys[keyAt] ?? '')}`,
  };
}

/** @returns the URL template (RFC 6570) of a collection's lists, with the words of a language */
export function listTemplate(language: Language, { name, parent }: Collection): string {
  const above = parent
    ? `${listTemplate(language, parent)}/{${language.fields(parent).word(parent.key.name)}}`
    : language.base + ROOT;
  return `${above}/${encodeURIComponent(language.paths(parent).word(name))}`;
}

/** @returns the URL template (RFC 6570) of a nested item, made of members of the list across parents that it is in */
export function itemTemplate(language: Language, list: Collection): string | undefined {
  const { name, key, flattens: { parent } = {} } = list;
  if (!parent) return undefined;
  const [of, own] = [parent, key].map((field) => encodeURIComponent(language.fields(list).word(field.name)));
  const segment = encodeURIComponent(language.paths(parent).word(name));
  return `${listTemplate(language, parent)}/{${of}}/${segment}/{${own}}`;
}

export function createTrees(catalogue: Catalogue, languages: readonly Language[]): readonly Tree[] {
  return languages.map((language) => ({
    language,
    paths: perCollection(allLists(catalogue), (collection) => createPaths(language, collection)),
  }));
}

/** @returns the names of an item's path parameters, from the top down */
export function keyNames({ name, parent }: Collection): readonly string[] {
  return [...(parent ? keyNames(parent) : []), name];
}
