import { Hono } from 'hono';
import type { FormerWord } from '../../packages/vocabularies/src/words.ts';
import { acrossParentsMethods, listMethods, subresourceMethods } from './collections/list.ts';
import {
  createReadersLoader,
  createResource,
  inPreferredUnits,
  itemMethods,
  type Resource,
  type ResourceOptions,
} from './collections/resource.ts';
import { type StreamLimits, Streams } from './collections/streams.ts';
import { createProblemHandler, type ShowProblem } from './dispatch/on-error.ts';
import { acceptFormerWords, createPathUpdater, unknownPath } from './dispatch/words.ts';
import type { Env, Exchange, Gateway, HeaderRecord, Methods, Routes } from './http/context.ts';
import {
  ACCEPT_PATCH,
  bindHandler,
  createPathReader,
  isSafe,
  listAllowed,
  originForm,
  PREFLIGHT,
  requestTarget,
  respond,
  routePath,
  TARGET_LIMIT,
  UNROUTABLE,
} from './http/exchange.ts';
import { createTrees } from './http/urls.ts';
import { createLanguages, subresourceWords } from './locale/language.ts';
import type { Locale } from './locale/table.ts';
import { allLists } from './model/catalogue.ts';
import { subresourceNames } from './model/query.ts';
import { ACCEPT_POST } from './read/body/body.ts';
import { createLanguageSelector } from './read/response-language.ts';
import { pageHeaders, type SiteOptions, siteRoutes, WITH_PICTURES } from './site/routes.ts';
import { byteSize, sentence } from './texts/phrase.ts';
import { Problem } from './texts/problem.ts';

/** `access` is for the documents only: a policy of the server enforces it. */
export interface AppOptions
  extends Omit<ResourceOptions, 'trees' | 'streams' | 'loadReaders'>,
    Pick<SiteOptions, 'access' | 'catalogue' | 'countHooks' | 'defaultLanguage'>,
    Partial<Pick<SiteOptions, 'isStopping'>> {
  readonly locales: readonly Locale[];
  /** Where an app of somebody else has the trees: what stands before their paths, perhaps nothing. */
  readonly mount?: string | undefined;
  readonly streamLimits?: StreamLimits;
  /** Called with each word of a request that another one has replaced. */
  readonly onFormerWord?: ((former: FormerWord) => void) | undefined;
}

/** Origin or absolute form; the target of CONNECT has no path. */
const WITH_PATH = /^(?:\/|https?:\/\/)/i;

function describeUnroutable({ length }: string): Problem {
  if (length <= TARGET_LIMIT) return new Problem('malformed-path', sentence('path-malformed', {}));
  return new Problem('uri-too-long', sentence('uri-too-long', { limit: byteSize(TARGET_LIMIT) }));
}

function addResource<R>(
  app: Hono<Env>,
  pattern: string,
  { OPTIONS: check, ...handlers }: Methods<R>,
  resource: R,
  headers: HeaderRecord = {},
  prefer = (_: Exchange, own: R): R => own,
): void {
  const methods = Object.keys(handlers);
  for (const [method, handle] of Object.entries(handlers))
    app.on(method, pattern, bindHandler(handle, resource, prefer));
  const options = {
    Allow: listAllowed(methods),
    ...(handlers.PATCH ? ACCEPT_PATCH : {}),
    ...(handlers.POST ? ACCEPT_POST : {}),
    ...headers,
  };
  app.options(pattern, (c) => {
    check?.(c, resource);
    const requested = c.req.header('access-control-request-method');
    if (requested === undefined) return respond(c, 204, null, options);
    // A preflight for a safe method gets these only: browsers keep the list, and the page may not be allowed to write.
    const allowed = listAllowed(isSafe(requested) ? methods.filter(isSafe) : methods);
    return respond(c, 204, null, { ...options, ...PREFLIGHT, 'Access-Control-Allow-Methods': allowed });
  });
}

function patternAt({ router }: Hono<Env>, path: string): string | undefined {
  const [matches] = router.match('OPTIONS', path);
  // Middleware for every request comes first.
  return matches.map(([[, { path: pattern }]]) => pattern).find((pattern) => pattern !== '/*');
}

/** The whole service: one tree of routes per language, drawn from one catalogue and one set of handlers. */
export function createGateway(options: AppOptions): Gateway {
  const { locales, defaultLanguage, isStopping = () => false, onFault } = options;
  const catalogue = allLists(options.catalogue);
  const languages = createLanguages(catalogue, locales, defaultLanguage, options.mount);
  const trees = createTrees(catalogue, languages);
  const responseLanguage = createLanguageSelector(languages, defaultLanguage);
  const show: ShowProblem = async (language, problem) => {
    const { refusalPage } = await import('./site/pages/pages.ts');
    const policy = problem.code === 'unauthorized' ? WITH_PICTURES : undefined;
    return { html: await refusalPage({ catalogue, trees }, language, problem), headers: pageHeaders(language, policy) };
  };
  const onProblem = createProblemHandler(responseLanguage, onFault, show);
  const views = subresourceWords(languages);
  const update = createPathUpdater(catalogue, languages);
  const app = new Hono<Env>({ getPath: createPathReader(views, update) });
  acceptFormerWords(app, languages, update, options.onFormerWord);
  const streams = new Streams(options.store, options.streamLimits);
  const loadReaders = createReadersLoader({ catalogue, locales, defaultLanguage });
  const resourceOptions = { ...options, catalogue, trees, streams, loadReaders };
  const tags = new Map<string, string>();
  for (const tree of trees) {
    for (const collection of catalogue) {
      const { listPattern, itemPattern, subresourcePattern } = tree.paths(collection);
      const resource = createResource(tree, collection, resourceOptions);
      const routes: Routes<Resource> = {
        ...(collection.flattens
          ? { [listPattern]: acrossParentsMethods }
          : { [listPattern]: listMethods, [itemPattern]: itemMethods }),
        ...Object.fromEntries(subresourceNames.map((view) => [subresourcePattern(view), subresourceMethods[view]])),
      };
      for (const [pattern, methods] of Object.entries(routes)) {
        tags.set(pattern, tree.language.tag);
        addResource(app, pattern, methods, resource, {}, inPreferredUnits);
      }
    }
  }
  const ask: SiteOptions['ask'] = (c, target, tag) => {
    const headers = { Accept: 'application/json', 'Accept-Language': tag };
    return app.fetch(new Request(c.req.raw.url, { headers }), { ...c.env, target });
  };
  const neutral = siteRoutes({ ...resourceOptions, isStopping, responseLanguage, ask });
  for (const [pattern, methods] of Object.entries(neutral))
    addResource(app, pattern, methods, undefined, { Vary: 'Accept-Language' });
  app.notFound((c) => {
    const { method, path, raw } = c.req;
    const target = requestTarget(raw, c.env);
    if (path === UNROUTABLE) return onProblem(describeUnroutable(target), c, false);
    const pattern = patternAt(app, path);
    if (pattern !== undefined) {
      const allow = listAllowed(app.routes.filter((route) => route.path === pattern).map((route) => route.method));
      const detail = sentence('method-not-allowed', { method, allow });
      return onProblem(new Problem('method-not-allowed', detail, { headers: { Allow: allow } }), c, true);
    }
    const own = responseLanguage.tree(target);
    const preferred = responseLanguage.neutral(c);
    const candidates = own ? [own] : [preferred, ...languages.filter((language) => language !== preferred)];
    const { problem, language } = unknownPath(catalogue, views, target, candidates, own !== undefined);
    return onProblem(problem, c, false, language);
  });
  app.onError((error, c) => onProblem(error, c, true));
  return {
    app,
    end: () => streams.end(),
    refuse: (refusal, raw, env) => onProblem(refusal, { req: { raw, method: raw.method }, env }, false),
    language: (raw, env) => {
      const c = { req: { raw, method: raw.method }, env };
      return (responseLanguage.tree(requestTarget(raw, env)) ?? responseLanguage.neutral(c)).tag;
    },
    findRoute: (url) => {
      const target = WITH_PATH.test(url) ? originForm(url) : UNROUTABLE;
      const route = patternAt(app, routePath(update?.(target) ?? target, views));
      return { route, language: route === undefined ? responseLanguage.tree(target)?.tag : tags.get(route) };
    },
  };
}
