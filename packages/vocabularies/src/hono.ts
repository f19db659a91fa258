/** A Hono app around an API: each request is handed over in the names of its document, and answered in its vocabulary. */
import { type Context, Hono } from 'hono';
import { basePath } from 'hono/route';
import { createCanonical } from './canonical-request.ts';
import type { Exchange } from './exchange.ts';
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
  app.all('*', (c) => {
    const mount = findMount(translator, basePath(c));
    return translate(translator, api, mount, c.req.raw, c.env, findExecutionContext(c));
  });
  // Not mounted anywhere, it needs no router: whoever does not translate pays nothing for it.
  app.fetch = (request, env, context) => translate(translator, api, '', request, env, context);
  return app;
}

function translate(
  translator: Translator,
  api: Api,
  mount: string,
  request: Request,
  env: unknown,
  context: unknown,
): Response | Promise<Response> {
  const exchange = translator.toCanonical(request, mount);
  if (exchange)
    return answerInWords(exchange, (canonical) =>
      api.fetch(canonical, readBindings(env, canonical) as never, context as never),
    );
  const answer = api.fetch(mount === '' ? request : withoutMount(request, mount), env as never, context as never);
  return translator.select === 'header' ? varyByLanguage(answer) : answer;
}

/** @returns the bindings of a server; those of Node's own have the request of the client, which is not what is handed over */
function readBindings(env: unknown, request: Request): unknown {
  const bindings = env as { readonly incoming?: object } | undefined;
  if (!bindings?.incoming) return env;
  const incoming = new Proxy(bindings.incoming, {
    get(target, name) {
      if (name === 'url') return request.url.slice(request.url.indexOf('/', 8));
      const isRead = name === 'iterator' || name === Symbol.asyncIterator;
      return isRead ? () => request.body ?? [] : Reflect.get(target, name);
    },
  });
  return { ...bindings, incoming };
}

/** Answers at once if the API does, because each turn of a promise costs time. */
function answerInWords(
  exchange: Exchange | Promise<Exchange>,
  ask: (request: Request) => Response | Promise<Response>,
): Response | Promise<Response> {
  if (exchange instanceof Promise) return exchange.then((ready) => answerInWords(ready, ask));
  const { refusal, request, refused, toWords } = exchange;
  if (!request) return refusal as Response;
  const answer = ask(request);
  const translation = answer instanceof Promise ? answer.then(toWords) : toWords(answer);
  return refused ? Promise.race([refused, translation]) : translation;
}

function withoutMount(request: Request, mount: string): Request {
  const { pathname, origin, search } = new URL(request.url);
  const url = `${origin}${pathname.slice(mount.length) || '/'}${search}`;
  const body = request.body as ReadableStream<Uint8Array<ArrayBuffer>> | null;
  return createCanonical({ original: request, url, changes: new Map(), body, context: undefined });
}

async function varyByLanguage(pending: Response | Promise<Response>): Promise<Response> {
  const answer = await pending;
  const varying = new Response(answer.body, answer);
  varying.headers.append('vary', 'Accept-Language');
  return varying;
}

/** @returns the path below which the app is mounted; nothing if the paths of the document begin with it themselves */
function findMount({ document }: Translator, base: string): string {
  const isOwn = document.paths.some(({ template }) => `${template}/`.startsWith(`${base}/`));
  return base === '/' || isOwn ? '' : base;
}

function findExecutionContext(c: Context): unknown {
  try {
    return c.executionCtx;
  } catch {
    return undefined;
  }
}
