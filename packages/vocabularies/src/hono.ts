/** A Hono app around an API: each request is handed over in the names of its document, and answered in its vocabulary. */
import { type Context, Hono } from 'hono';
import { basePath } from 'hono/route';
import { createRequest, type Exchange } from './exchange.ts';
import { pathPattern } from './paths.ts';
import { type Options, Translator } from './translator.ts';

/** Anything that answers requests, such as a Hono app. */
export interface Api {
  readonly fetch: (request: Request, env?: never, context?: never) => Response | Promise<Response>;
}

/**
 * Middleware outside of the API that is keyed by paths does not see the paths of vocabularies: what guards an operation must stand
 * inside of the API.
 *
 * @example app.route('/', vocabularies(api, { document, tables: { es } }))
 * @throws VocabularyError that lists all faults of the document and the tables
 */
export function vocabularies(api: Api, options: Options): Hono {
  const translator = new Translator({ onNotice: (notice) => console.warn(notice), ...options });
  const app = new Hono();
  app.all('*', (c) => translate(translator, api, c));
  return app;
}

async function translate(translator: Translator, api: Api, c: Context): Promise<Response> {
  const request = c.req.raw;
  const mount = findMount(translator, basePath(c));
  const answer = (each: Request) => api.fetch(each, c.env as never, findExecutionContext(c) as never);
  const exchange = await translator.toCanonical(request, mount);
  if (exchange?.refusal) return exchange.refusal;
  if (exchange?.request) {
    const answered = answerIn(exchange, answer);
    return exchange.refused ? Promise.race([exchange.refused, answered]) : answered;
  }
  const { pathname, origin, search } = mount === '' ? { pathname: '', origin: '', search: '' } : new URL(request.url);
  const inner =
    mount === ''
      ? request
      : createRequest(`${origin}${pathname.slice(mount.length) || '/'}${search}`, request, request);
  const response = await answer(inner);
  if (translator.select !== 'header') return response;
  const varying = new Response(response.body, response);
  varying.headers.append('vary', 'Accept-Language');
  return varying;
}

async function answerIn(
  exchange: Exchange,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  return exchange.toWords(await answer(exchange.request as Request));
}

/** @returns the path below which the app is mounted; nothing if the paths of the document begin with it themselves */
function findMount({ routes }: Translator, base: string): string {
  if (base === '/' || base === '') return '';
  return routes.some((route) => `${pathPattern(route, undefined)}/`.startsWith(`${base}/`)) ? '' : base;
}

function findExecutionContext(c: Context): unknown {
  try {
    return c.executionCtx;
  } catch {
    return undefined;
  }
}
