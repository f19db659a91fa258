import type { Hono } from 'hono';
import type { Env, Exchange, HeaderRecord } from '../http/context.ts';
import { isSafe, listAllowed, type Method, REQUESTED_METHOD } from '../http/request.ts';
import { ACCEPT_PATCH, PREFLIGHT, respond } from '../http/respond.ts';
import { ACCEPT_POST } from '../read/content-type.ts';

/** Handles a request for a resource. */
type ResourceHandler<R> = (c: Exchange, resource: R) => Response | Promise<Response>;

/** The handlers of a resource by method. GET handles HEAD, too. */
export interface Methods<R = undefined> extends Readonly<Partial<Record<Method, ResourceHandler<R>>>> {
  /** Throws the same problem as GET if a path can never exist; otherwise OPTIONS succeeds. */
  readonly OPTIONS?: (c: Exchange, resource: R) => void;
}

/** Resources by the pattern of their paths. */
export type Routes<R = undefined> = Readonly<Record<string, Methods<R>>>;

/**
 * Draws a resource: a route for each of its methods, and one for OPTIONS, which lists exactly these.
 *
 * @param headers of a response to OPTIONS, besides `Allow`
 */
export function addResource<R>(
  app: Hono<Env>,
  pattern: string,
  { OPTIONS: check, ...handlers }: Methods<R>,
  resource: R,
  headers: HeaderRecord = {},
): void {
  const methods = Object.keys(handlers);
  for (const [method, handle] of Object.entries(handlers)) app.on(method, pattern, (c) => handle(c, resource));
  const options = {
    Allow: listAllowed(methods),
    ...(handlers.PATCH ? ACCEPT_PATCH : {}),
    ...(handlers.POST ? ACCEPT_POST : {}),
    ...headers,
  };
  app.options(pattern, (c) => {
    check?.(c, resource);
    const requested = c.req.header(REQUESTED_METHOD);
    if (requested === undefined) return respond(c, 204, null, options);
    // A preflight for a safe method gets these only: browsers keep the list, and the page may not be allowed to write.
    const allowed = listAllowed(isSafe(requested) ? methods.filter(isSafe) : methods);
    return respond(c, 204, null, { ...options, ...PREFLIGHT, 'Access-Control-Allow-Methods': allowed });
  });
}

/** @returns the pattern of the resource at a path, by its OPTIONS, which every resource has */
export const patternAt = ({ router }: Hono<Env>, path: string): string | undefined => {
  const [matches] = router.match('OPTIONS', path);
  // Whatever every request goes through comes first.
  return matches.map(([[, { path: pattern }]]) => pattern).find((pattern) => pattern !== '/*');
};

/** @returns `Allow` of the resource with this pattern */
export const allowAt = ({ routes }: Hono<Env>, pattern: string): string =>
  listAllowed(routes.filter(({ path }) => path === pattern).map(({ method }) => method));
