import { Hono } from 'hono';
import type { FormerWord } from '../../packages/vocabularies/src/words.ts';
import { acrossParentsMethods, listMethods, viewMethods } from './collections/list.ts';
import { createResource, itemMethods, type Resource, type ResourceOptions } from './collections/resource.ts';
import { type StreamLimits, Streams } from './collections/streams.ts';
import { addResource, allowAt, patternAt, type Routes } from './dispatch/methods.ts';
import { problemHandler, type ShowProblem } from './dispatch/on-error.ts';
import { acceptFormerWords, createPathUpdater, foreignWordFinder, unknownPath } from './dispatch/words.ts';
import { ReadingThreads } from './files/threads.ts';
import type { Env, Gateway } from './http/context.ts';
import { originForm, requestTarget, routePath, TARGET_LIMIT, UNROUTABLE } from './http/request.ts';
import { VARY_LANGUAGE } from './http/respond.ts';
import { createTrees } from './http/urls.ts';
import { createLanguages, viewWords } from './locale/language.ts';
import type { Locale } from './locale/table.ts';
import { allLists } from './model/catalogue.ts';
import { viewNames } from './model/query.ts';
import { createLanguageSelector } from './read/response-language.ts';
import { pageHeaders, type SiteOptions, siteRoutes } from './site/routes.ts';
import { byteSize, sentence } from './texts/phrase.ts';
import { Problem } from './texts/problem.ts';

/** `access` is for the documents only: a policy of the server enforces it. */
export interface AppOptions
  extends Omit<ResourceOptions, 'trees' | 'streams' | 'readers'>,
    Pick<SiteOptions, 'access' | 'catalogue' | 'countHooks' | 'defaultLanguage'>,
    Partial<Pick<SiteOptions, 'isStopping'>> {
  /** Checked tables, one per language. */
  readonly locales: readonly Locale[];
  readonly streamLimits?: StreamLimits;
  /** Called with the tag of a tree that refused words, and the languages that have them; tests have no `incoming`. */
  readonly onForeignWords?:
    | ((refused: { tree: string; languages: readonly string[]; incoming: Env['Bindings']['incoming'] }) => void)
    | undefined;
  /** Called with each word of a request that another one has replaced. */
  readonly onFormerWord?: ((former: FormerWord) => void) | undefined;
}

/** Origin or absolute form; the target of CONNECT has no path. */
const WITH_PATH = /^(?:\/|https?:\/\/)/i;

const unroutable = (target: string): Problem =>
  target.length > TARGET_LIMIT
    ? new Problem('uri-too-long', sentence('uri-too-long', { limit: byteSize(TARGET_LIMIT) }))
    : new Problem('malformed-path', sentence('path-malformed', {}));

const notAllowed = (method: string, allow: string): Problem =>
  new Problem('method-not-allowed', sentence('method-not-allowed', { method, allow }), { headers: { Allow: allow } });

/**
 * The whole service: one tree of routes per language, drawn from one catalogue and one set of handlers.
 *
 * @example
 * ```ts
 * const { app } = createGateway({ catalogue, locales, defaultLanguage: 'en', access: 'open', store, assignKey: randomUUID, bodyLimit: 1_048_576, importLimit: 268_435_456, deletionShare: 20, idempotencyTtl: 86_400_000, onFault })
 * await app.request('/api/coches?marca=Seat')
 * ```
 */
export const createGateway = (options: AppOptions): Gateway => {
  const { locales, defaultLanguage, isStopping = () => false, onFault, onForeignWords } = options;
  const catalogue = allLists(options.catalogue);
  const languages = createLanguages(catalogue, locales, defaultLanguage);
  const trees = createTrees(catalogue, languages);
  const responseLanguage = createLanguageSelector(languages, defaultLanguage);
  const findForeign = onForeignWords && foreignWordFinder(catalogue, languages);
  const show: ShowProblem = async (language, problem) => {
    const { refusalPage } = await import('./site/pages/pages.ts');
    return { html: await refusalPage({ catalogue, trees }, language, problem), headers: pageHeaders(language) };
  };
  const onProblem = problemHandler(responseLanguage, onFault, show, (problem, language, { env }) => {
    const foreign = findForeign?.(language, problem) ?? [];
    if (foreign.length > 0) onForeignWords?.({ tree: language.tag, languages: foreign, incoming: env?.incoming });
  });
  const views = viewWords(languages);
  const update = createPathUpdater(catalogue, languages);
  const findPath = (target: string): string => routePath(update?.(target) ?? target, views);
  const app = new Hono<Env>({ getPath: (request, options) => findPath(requestTarget(request, options?.env)) });
  acceptFormerWords(app, languages, update, options.onFormerWord);
  const streams = new Streams(options.store, options.streamLimits);
  const readers = new ReadingThreads({ catalogue, locales, defaultLanguage });
  const resourceOptions = { ...options, catalogue, trees, streams, readers };
  const tags = new Map<string, string>();
  for (const tree of trees) {
    for (const collection of catalogue) {
      const { listPattern, itemPattern, viewPattern } = tree.paths(collection);
      const resource = createResource(tree, collection, resourceOptions);
      const routes: Routes<Resource> = {
        ...(collection.flattens
          ? { [listPattern]: acrossParentsMethods }
          : { [listPattern]: listMethods, [itemPattern]: itemMethods }),
        ...Object.fromEntries(viewNames.map((view) => [viewPattern(view), viewMethods[view]])),
      };
      for (const [pattern, methods] of Object.entries(routes)) {
        tags.set(pattern, tree.language.tag);
        addResource(app, pattern, methods, resource);
      }
    }
  }
  const neutral = siteRoutes({ ...resourceOptions, isStopping, responseLanguage });
  for (const [pattern, methods] of Object.entries(neutral))
    addResource(app, pattern, methods, undefined, VARY_LANGUAGE);
  app.notFound((c) => {
    const { method, path, raw } = c.req;
    const target = requestTarget(raw, c.env);
    if (path === UNROUTABLE) return onProblem(unroutable(target), c, false);
    const pattern = patternAt(app, path);
    if (pattern !== undefined) return onProblem(notAllowed(method, allowAt(app, pattern)), c, true);
    const own = responseLanguage.tree(target);
    const asked = responseLanguage.neutral(c);
    const candidates = own ? [own] : [asked, ...languages.filter((each) => each !== asked)];
    const { problem, language } = unknownPath(catalogue, views, target, candidates, own !== undefined);
    return onProblem(problem, c, false, language);
  });
  app.onError((error, c) => onProblem(error, c, true));
  return {
    app,
    end: () => streams.end(),
    refuse: (refusal, raw, env) => onProblem(refusal, { req: { raw, method: raw.method }, env }, false),
    findRoute: (url) => {
      const target = WITH_PATH.test(url) ? originForm(url) : UNROUTABLE;
      const route = patternAt(app, findPath(target));
      return { route, language: route === undefined ? responseLanguage.tree(target)?.tag : tags.get(route) };
    },
  };
};
