import { Hono } from 'hono';
import { itemRoutes } from '../http/collections/item.ts';
import { listRoutes } from '../http/collections/list.ts';
import { type ResourceOptions, resourceOf } from '../http/collections/resource.ts';
import type { Env } from '../http/context.ts';
import { foreignWords } from '../http/dispatch/foreign-words.ts';
import { languageOf } from '../http/dispatch/language-of.ts';
import { methodsHandler } from '../http/dispatch/methods.ts';
import { pathProblem } from '../http/dispatch/no-such-path.ts';
import { problemHandler } from '../http/dispatch/on-error.ts';
import { VARY_LANGUAGE } from '../http/headers.ts';
import { readingThreads } from '../http/read/files/threads/reading-thread.ts';
import { MALFORMED_PATH, REFUSED, routePath, TARGET_LIMIT, TOO_LONG, targetOf } from '../http/target.ts';
import { treesOf } from '../http/tree.ts';
import { languagesOf } from '../locale/language.ts';
import type { Locale } from '../locale/table.ts';
import type { Access } from '../model/access.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { openapiRoutes } from '../site/openapi-routes.ts';
import { siteRoutes } from '../site/routes.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { byteSize } from '../texts/size.ts';

export interface RefusedWords {
  /** The language of the tree. */
  readonly tree: string;
  /** The language of each word. */
  readonly languages: readonly string[];
  /** Absent in tests that call the app directly. */
  readonly incoming: Env['Bindings']['incoming'];
}

export interface AppOptions extends Omit<ResourceOptions, 'trees' | 'readFile' | 'readBody'> {
  readonly catalogue: Catalogue;
  /** Checked tables, one per language. */
  readonly locales: readonly Locale[];
  /** What needs a key, for the documents only: a policy of the server enforces it. */
  readonly access: Access;
  /** Tag of the language of addresses that have none. */
  readonly defaultLanguage: string;
  /** Whether the service is about to end, which `/readyz` reports first. */
  readonly isStopping?: () => boolean;
  /** Called with the words for which a tree refused a request although another language has them. */
  readonly onForeignWords?: ((refused: RefusedWords) => void) | undefined;
}

/**
 * The whole service: one tree of routes per language, drawn from one catalogue and one set of handlers.
 *
 * @example
 * ```ts
 * const app = createApp({ catalogue, locales, defaultLanguage: 'en', access: 'open', store, assignKey: randomUUID, bodyLimit: 1_048_576, importLimit: 268_435_456, deletionShare: 20, idempotencyTtl: 86_400_000, rowCacheCapacity: 0, onFault })
 * await app.request('/api/coches?marca=Seat')
 * ```
 */
export const createApp = (options: AppOptions): Hono<Env> => {
  const { catalogue, locales, defaultLanguage, isStopping = () => false, store, onFault, onForeignWords } = options;
  const languages = languagesOf(catalogue, locales, defaultLanguage);
  const trees = treesOf(catalogue, languages);
  const responseLanguage = languageOf(languages, defaultLanguage);
  const findForeign = onForeignWords && foreignWords(catalogue, languages);
  const onProblem = problemHandler(responseLanguage, onFault, (problem, language, { env }) => {
    const foreign = findForeign?.(language, problem) ?? [];
    if (foreign.length > 0) onForeignWords?.({ tree: language.tag, languages: foreign, incoming: env?.incoming });
  });
  const noSuchPath = pathProblem(catalogue);

  const app = new Hono<Env>({
    getPath: (request, context) => (context?.env?.refusal ? REFUSED : routePath(targetOf(request, context?.env))),
  });
  const resourceOptions = { ...options, trees, ...readingThreads({ catalogue, locales, defaultLanguage }) };
  for (const tree of trees) {
    for (const collection of catalogue) {
      const { listPattern, itemPattern } = tree.paths(collection);
      const resource = resourceOf(tree, collection, resourceOptions);
      app.all(listPattern, methodsHandler(listRoutes(tree, resource, resourceOptions)));
      app.all(itemPattern, methodsHandler(itemRoutes(tree, resource, resourceOptions)));
    }
  }
  const neutral = {
    ...siteRoutes({ catalogue, trees, store, isStopping, responseLanguage }),
    ...openapiRoutes(resourceOptions, responseLanguage),
  };
  for (const [pattern, methods] of Object.entries(neutral)) {
    app.all(pattern, methodsHandler(methods, VARY_LANGUAGE));
  }
  app.all(REFUSED, (c) => onProblem(c.env.refusal, c, false));
  app.all(MALFORMED_PATH, (c) => onProblem(new Problem('malformed-path', sentence('path-malformed', {})), c, false));
  app.all(TOO_LONG, (c) =>
    onProblem(new Problem('uri-too-long', sentence('uri-too-long', { limit: byteSize(TARGET_LIMIT) })), c, false),
  );
  app.notFound((c) => {
    const own = responseLanguage.tree(c);
    const asked = responseLanguage.neutral(c);
    const meant = own ? [own] : [asked, ...languages.filter((each) => each !== asked)];
    const { problem, language } = noSuchPath(targetOf(c.req.raw, c.env), meant);
    return onProblem(problem, c, false, language);
  });
  app.onError((error, c) => onProblem(error, c, true));
  return app;
};
