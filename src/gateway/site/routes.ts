import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import type { Exchange, Handler, HeaderRecord, Routes } from '../http/context.ts';
import { digest, readQueryText, respond } from '../http/exchange.ts';
import { inLanguage, LANG, listUrls, openapiUrl, problemPath, type Tree, URLS } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import type { DocumentOptions } from '../openapi/components.ts';
import type { Items } from '../port/port.ts';
import { get, JSON_ONLY } from '../read/accept.ts';
import { isNotModified } from '../read/conditions.ts';
import { refuseQuery } from '../read/query/query.ts';
import type { LanguageSelector } from '../read/response-language.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem, type ProblemCode, problems } from '../texts/problem.ts';
import { type Ask, readAddress, readItemView, readListView } from './content/browse.ts';
import {
  describeLanguage,
  describeService,
  explainProblem,
  explainProblems,
  findTree,
  listDictionaries,
  type ServiceIndex,
  topCollections,
} from './content/service.ts';

export interface SiteOptions extends DocumentOptions {
  readonly store: Items;
  readonly isStopping: () => boolean;
  /** Answers a request for JSON as the app does. @param target without what stands before the paths that clients are told */
  readonly ask: (c: Exchange, target: string, tag: string) => MaybePromise<Response>;
  readonly responseLanguage: LanguageSelector;
  /** Counts the addresses that receive changes, for the index; by default the index does not say it. */
  readonly countHooks?: (() => MaybePromise<number>) | undefined;
}

/** Allows nothing from other origins but pictures, nothing inline, and no embedding; `data:` has the icons in Swagger UI's style sheet. */
const createPolicy = (pictures: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:${pictures}; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

const POLICY = createPolicy('');
/** Pages of items show the pictures that these link to, wherever they are. With a key they stand in the page that was refused. */
export const WITH_PICTURES = createPolicy(' https:');

export const pageHeaders = ({ pages }: Language, policy = POLICY): HeaderRecord => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Language': pages.tags.join(', '),
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
});

type Constant = ReturnType<typeof createConstant>;

const createConstant = (content: string | Uint8Array<ArrayBuffer>) => ({ content, tag: `"${digest(content)}"` });

/** @param varying headers of a 304, too (RFC 9110 §15.4.5). @throws Problem `precondition-failed` if `If-Match` names other content */
function respondConstant(c: Exchange, { content, tag }: Constant, headers: HeaderRecord, varying: HeaderRecord) {
  const always = { ...varying, ETag: tag };
  if (!isNotModified(c.req.raw.headers, tag)) return respond(c, 200, content, { ...headers, ...always });
  // Otherwise the default policy would replace the page's own in the browser's cache (RFC 9111 §3.2).
  const { 'Content-Security-Policy': policy } = headers;
  return respond(c, 304, null, policy === undefined ? always : { ...always, 'Content-Security-Policy': policy });
}

interface Route {
  readonly json: (language: Language, c: Exchange) => MaybePromise<Constant>;
  readonly jsonTag?: (language: Language) => string;
  readonly html?: (language: Language, c: Exchange) => Promise<string>;
  /** By default one that knows the language of a page, and no parameter if there is no page. */
  readonly readQuery?: (search: string) => void;
  readonly language?: (c: Exchange) => Language;
  readonly headers?: (language: Language) => HeaderRecord;
  /** Headers of a 304, too. */
  readonly varying?: (language: Language) => HeaderRecord;
}

const PAGE = { type: 'text/html' };

const jsonConstant = (value: unknown): Constant => createConstant(JSON.stringify(value));

const respondPage = (c: Exchange, language: Language, html: string, headers: HeaderRecord = {}): Response =>
  respondConstant(
    c,
    createConstant(html),
    { ...pageHeaders(language), ...headers },
    { Vary: 'Accept, Accept-Language' },
  );

function htmlOrJson({ responseLanguage }: SiteOptions, route: Route): Handler {
  const { json, jsonTag = ({ tag }) => tag, html, language: findLanguage = responseLanguage.neutral } = route;
  const { readQuery = html ? responseLanguage.checkQuery : refuseQuery } = route;
  return get(html ? [...JSON_ONLY, PAGE] : JSON_ONLY, readQuery, async (c, { type }) => {
    const language = findLanguage(c);
    const headers = route.headers?.(language);
    if (html && type === 'text/html') return respondPage(c, language, await html(language, c), headers);
    const own = { 'Content-Type': 'application/json', 'Content-Language': jsonTag(language), ...headers };
    const varying = { ...route.varying?.(language), Vary: 'Accept, Accept-Language' };
    return respondConstant(c, await json(language, c), own, varying);
  });
}

function oncePerTree(options: SiteOptions, make: (tree: Tree) => Promise<unknown>): Route['json'] {
  const byTag = new Map<string, Promise<Constant>>();
  return (language) => {
    const content = byTag.get(language.tag) ?? make(findTree(options, language)).then(jsonConstant);
    byTag.set(language.tag, content);
    return content;
  };
}

const loadPages = () => import('./pages/pages.ts');

/** @returns links by which programs find documents, documentation and health (RFC 8631), and the same in other languages */
function writeServiceLinks(path: string, chosen: Language, languages: readonly Language[]): string {
  const others = languages.filter((language) => language !== chosen);
  const described = [chosen, ...others].flatMap((language) => {
    const { openapi, documentation } = listUrls(language);
    return [
      `<${openapi}>; rel="service-desc"; type="application/json"; hreflang="${language.tag}"`,
      `<${documentation}>; rel="service-doc"; type="text/html"; hreflang="${language.tag}"`,
    ];
  });
  const alternates = others
    .filter(({ tag, pages }) => tag === pages.tag)
    .map(({ tag, base }) => `<${inLanguage(base + path, tag)}>; rel="alternate"; hreflang="${tag}"`);
  const status = chosen.isMounted ? [] : [`<${URLS.ready}>; rel="status"`];
  return [...described, ...status, ...alternates].join(', ');
}

async function readIndex(options: SiteOptions, language: Language): Promise<ServiceIndex> {
  const { catalogue, store, countHooks } = options;
  const counts = topCollections(catalogue).map(async (list) => [list.name, await store.countRows(list)] as const);
  return describeService(options, language, Object.fromEntries(await Promise.all(counts)), await countHooks?.());
}

/** Shows the list or the item that an address names, as the API responds. */
async function showIndex(c: Exchange, path: string, options: SiteOptions): Promise<Response> {
  const { responseLanguage, ask } = options;
  const search = readQueryText(c);
  const named = search.split('&').filter((part) => part.split('=', 1)[0] === LANG);
  responseLanguage.checkQuery(named.join('&'));
  const address = readAddress(options, search, responseLanguage.neutral(c), named.length > 0);
  const { collection, key, tree } = address;
  const { language } = tree;
  const askApi: Ask = async (url) => ask(c, url.slice(language.base.length), language.tag);
  const view =
    collection && key === undefined
      ? await readListView(askApi, options, { ...address, collection })
      : await readItemView(askApi, options, address);
  // No page can show it.
  if ('isOfPrograms' in view) return respond(c, 307, null, { Location: view.url, Vary: 'Accept, Accept-Language' });
  const [index, { indexPage }] = await Promise.all([readIndex(options, language), loadPages()]);
  const content = createConstant(await indexPage(options, path, view, index));
  const languages = options.trees.map((other) => other.language);
  const headers = {
    ...pageHeaders(language, 'item' in view && view.item ? WITH_PICTURES : POLICY),
    Link: writeServiceLinks(path, language, languages),
  };
  if (!view.refusal) return respondConstant(c, content, headers, { Vary: 'Accept, Accept-Language' });
  return respond(c, view.refusal.status, content.content, { ...headers, Vary: 'Accept, Accept-Language' });
}

function readIndexAt(path: string, options: SiteOptions): Handler {
  const languages = options.trees.map(({ language }) => language);
  const json = htmlOrJson(options, {
    json: async (language) => jsonConstant(await readIndex(options, language)),
    jsonTag: ({ pages }) => pages.tags.join(', '),
    readQuery: options.responseLanguage.checkQuery,
    headers: (language) => ({ Link: writeServiceLinks(path, language, languages) }),
  });
  return get(
    [...JSON_ONLY, PAGE],
    () => undefined,
    async (c, { type }) => (type === 'text/html' ? showIndex(c, path, options) : json(c)),
  );
}

function findLanguage(c: Exchange, { trees }: SiteOptions): Language {
  const value = c.req.param('tag') ?? '';
  const language = trees.find((tree) => tree.language.tag === value)?.language;
  const known = trees.map((tree) => tree.language.tag).join(', ');
  if (language) return language;
  throw new Problem('not-found', sentence('language-unknown', { value, known }));
}

function dictionaryRoutes(options: SiteOptions): Routes {
  const json = oncePerTree(options, async (tree) => {
    const { createContext } = await import('../openapi/components.ts');
    return describeLanguage(createContext(tree, options));
  });
  const language = (c: Exchange) => findLanguage(c, options);
  const links = htmlOrJson(options, { json: ({ tag }) => jsonConstant(listDictionaries(options, tag)) });
  return {
    [URLS.dictionaries]: { GET: links },
    [`${URLS.dictionaries}/:tag`]: { GET: htmlOrJson(options, { json, language }), OPTIONS: (c) => void language(c) },
  };
}

/** The OpenAPI documents, one per language; their code is loaded when one is first requested, to save time at start and memory. */
function documentRoutes(options: SiteOptions): Routes {
  const json = oncePerTree(options, async (tree) => {
    const { createDocument } = await import('../openapi/document.ts');
    return createDocument(tree, options);
  });
  const document = { json, jsonTag: ({ inDocument }: Language) => inDocument };
  const own = options.trees.map(({ language }) => {
    const GET = htmlOrJson(options, { ...document, language: () => language });
    return [openapiUrl(language.tag), { GET }];
  });
  const varying = (language: Language) => ({ 'Content-Location': listUrls(language).openapi });
  return { [URLS.openapi]: { GET: htmlOrJson(options, { ...document, varying }) }, ...Object.fromEntries(own) };
}

/** The files that pages load; no other one can be requested, and each is read when it is first requested. */
const ASSETS = ['icon.svg', 'style.css', 'browse.js', 'key.js', 'files.js', 'docs.css', 'docs.js', 'display.js'];
const SWAGGER_ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js'];
const ASSET_TYPES: Readonly<Record<string, string>> = { svg: 'image/svg+xml', css: 'text/css', js: 'text/javascript' };

function readAsset(name: string): Handler {
  const type = ASSET_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? '';
  let content: Constant | undefined;
  return get([{ type }], refuseQuery, async (c) => {
    content ??= createConstant(await (await loadPages()).readAsset(name));
    return respondConstant(c, content, { 'Content-Type': `${type}; charset=utf-8` }, { Vary: 'Accept' });
  });
}

function docsRoutes(options: SiteOptions): Routes {
  const { checkQuery, neutral } = options.responseLanguage;
  const showDocs = get([PAGE], checkQuery, async (c) => {
    const language = neutral(c);
    const { docsPage } = await loadPages();
    return respondPage(c, language, await docsPage(options, language));
  });
  const assets = [...ASSETS, ...SWAGGER_ASSETS].map((name) => [`${URLS.assets}/${name}`, { GET: readAsset(name) }]);
  // Both slash forms of a path are one route.
  return { [URLS.assets]: { GET: showDocs }, ...Object.fromEntries(assets) };
}

function findCode(c: Exchange): ProblemCode {
  const code = c.req.param('code') ?? '';
  if (!Object.hasOwn(problems, code)) throw new Problem('not-found', sentence('problem-unknown', { code }));
  return code as ProblemCode;
}

const problemRoutes = (options: SiteOptions): Routes => ({
  [URLS.problems]: {
    GET: htmlOrJson(options, {
      json: (language) => jsonConstant(explainProblems(language)),
      jsonTag: ({ inProblems }) => inProblems,
      html: async (language) => (await loadPages()).problemsPage(options, language),
    }),
  },
  [problemPath(':code')]: {
    GET: htmlOrJson(options, {
      json: (language, c) => jsonConstant(explainProblem(language, findCode(c))),
      jsonTag: ({ inProblems }) => inProblems,
      html: async (language, c) => (await loadPages()).problemPage(options, language, findCode(c)),
    }),
    OPTIONS: (c) => void findCode(c),
  },
});

function respondOk(c: Exchange, { responseLanguage }: SiteOptions): Response {
  const headers = { 'Content-Type': 'application/json', 'Content-Language': responseLanguage.neutral(c).tag };
  const varying = { Vary: 'Accept-Language', 'Cache-Control': 'no-store' };
  return respond(c, 200, JSON.stringify({ status: 'ok' }), { ...headers, ...varying });
}

function checkReadiness(c: Exchange, options: SiteOptions): MaybePromise<Response> {
  const { store, isStopping } = options;
  const headers = { 'Cache-Control': 'no-store' };
  if (isStopping()) throw new Problem('unavailable', sentence('service-stopping', {}), { headers });
  const needsWrites = new URLSearchParams(readQueryText(c)).has('writes');
  return andThen(store.ready(needsWrites), (isReady) => {
    if (isReady) return respondOk(c, options);
    const phrase = needsWrites ? 'store-read-only' : 'store-unavailable';
    throw new Problem('unavailable', sentence(phrase, {}), { headers });
  });
}

/** The routes that belong to no language. Probes accept any `Accept` and any query. */
export const siteRoutes = (options: SiteOptions): Routes => ({
  '/': { GET: readIndexAt('/', options) },
  [URLS.index]: { GET: readIndexAt(URLS.index, options) },
  ...dictionaryRoutes(options),
  ...documentRoutes(options),
  ...docsRoutes(options),
  ...problemRoutes(options),
  [URLS.live]: { GET: (c) => respondOk(c, options) },
  [URLS.ready]: { GET: (c) => checkReadiness(c, options) },
});
