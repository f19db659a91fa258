import { Hono } from 'hono';
import type { Env, Exchange } from './http/env.ts';
import { itemRoutes } from './http/item-routes.ts';
import { listRoutes } from './http/list-routes.ts';
import { methodsHandler } from './http/methods.ts';
import { chooseLanguage } from './http/negotiate.ts';
import { NEUTRAL, neutralRoutes } from './http/neutral-routes.ts';
import { pathProblem } from './http/path-problem.ts';
import { resourceOf } from './http/resource.ts';
import { requestIdOf } from './http/respond.ts';
import { decode, MALFORMED_PATH, REFUSED, routePath, TARGET_LIMIT, TOO_LONG, targetOf } from './http/target.ts';
import { ROOT, treesOf } from './http/tree.ts';
import { writeProblem } from './http/write-problem.ts';
import { type Language, languagesOf } from './locale/language.ts';
import type { Locale } from './locale/table.ts';
import type { Catalogue } from './model/catalogue.ts';
import { sentence } from './model/phrase.ts';
import { Problem } from './model/problem.ts';
import type { Store } from './store/port.ts';

export interface AppOptions {
  readonly catalogue: Catalogue;
  /** Checked tables, one per language. */
  readonly locales: readonly Locale[];
  /** Tag of the language of addresses that have none. */
  readonly defaultLanguage: string;
  readonly store: Store;
  /** Makes a key where the client sends none. */
  readonly assignKey: () => string;
  /** Bytes. */
  readonly bodyLimit: number;
  /** Told of every fault that the client is told nothing of. */
  readonly onFault: (error: unknown, requestId: string) => void;
}

/**
 * The whole service: one tree of routes per language, drawn from one catalogue and one set of handlers.
 *
 * @example
 * ```ts
 * const app = createApp({ catalogue, locales, defaultLanguage: 'en', store, assignKey: randomUUID, bodyLimit: 1_048_576, onFault })
 * await app.request('/api/coches?marca=Seat')
 * ```
 */
export const createApp = (options: AppOptions): Hono<Env> => {
  const { catalogue, locales, defaultLanguage, store, assignKey, bodyLimit, onFault } = options;
  const languages = languagesOf(catalogue, locales);
  const trees = treesOf(catalogue, languages);
  const byTag = new Map(languages.map((language) => [language.tag, language]));
  const byRoot = new Map(
    languages.flatMap((language) => {
      const { names, word } = language.paths(undefined);
      return names.map((name) => [word(name), language] as const);
    }),
  );
  const noSuchPath = pathProblem(catalogue);
  const fallback = byTag.get(defaultLanguage);
  if (!fallback) throw new TypeError(`no language "${defaultLanguage}"`);

  const chosenLanguage = (c: Exchange): Language => {
    const tag = chooseLanguage(c.req.raw.headers.get('accept-language'), [...byTag.keys()], defaultLanguage);
    return byTag.get(tag) ?? fallback;
  };
  /** The path alone decides, even where the rest of it leads nowhere. */
  const treeLanguage = (c: Exchange): Language | undefined => {
    const target = targetOf(c.req.raw, c.env);
    if (!target.startsWith(`${ROOT}/`)) return undefined;
    const [segment = ''] = target.slice(ROOT.length + 1).split(/[/?#]/, 1);
    return byRoot.get(decode(segment) ?? '');
  };

  const onProblem = (error: unknown, c: Exchange): Response => {
    const problem =
      error instanceof Problem ? error : new Problem('internal', sentence('internal', {}), { cause: error });
    const requestId = requestIdOf(c.req.raw);
    if (problem.cause !== undefined) onFault(problem.cause, requestId);
    const own = treeLanguage(c);
    const { status, headers, body } = writeProblem(own ?? chosenLanguage(c), problem, requestId);
    return new Response(body, { status, headers: own ? headers : { ...headers, ...NEUTRAL } });
  };

  const app = new Hono<Env>({
    getPath: (request, context) => (context?.env?.refusal ? REFUSED : routePath(targetOf(request, context?.env))),
  });
  const service = { store, trees, assignKey, bodyLimit, onFault };
  for (const tree of trees) {
    for (const collection of catalogue) {
      const { listPattern, itemPattern } = tree.paths(collection);
      const resource = resourceOf(tree, collection, service);
      app.all(listPattern, methodsHandler(listRoutes(tree, resource, service)));
      app.all(itemPattern, methodsHandler(itemRoutes(tree, resource, service)));
    }
  }
  for (const [pattern, methods] of Object.entries(neutralRoutes(store, chosenLanguage))) {
    app.all(pattern, methodsHandler(methods, NEUTRAL));
  }
  app.all(REFUSED, (c) => onProblem(c.env.refusal, c));
  app.all(MALFORMED_PATH, () => {
    throw new Problem('malformed-path', sentence('path-malformed', {}));
  });
  app.all(TOO_LONG, () => {
    throw new Problem('uri-too-long', sentence('uri-too-long', { limit: TARGET_LIMIT }));
  });
  app.notFound((c) => {
    const own = treeLanguage(c);
    const preferred = own ?? chosenLanguage(c);
    const meant = own ? [own] : [preferred, ...languages.filter((each) => each !== preferred)];
    return onProblem(noSuchPath(targetOf(c.req.raw, c.env), meant), c);
  });
  app.onError(onProblem);
  return app;
};
