/** What every request passes before a route responds to it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { type Gateway, type HeaderRecord, METHODS } from '../../gateway/http/context.ts';
import {
  type AddressKind,
  addressKind,
  COMMON_HEADERS,
  idFrom,
  listAllowed,
  originForm,
  REQUEST_ID_HEADER,
  REQUEST_ID_KEY,
  readsBody,
  targetPath,
} from '../../gateway/http/exchange.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { Observer } from './observer.ts';

/** What policies know of a request beside the request itself. */
export interface Admission {
  readonly kind: AddressKind;
  added?: HeaderRecord | undefined;
}

/** Decides whether a request may pass. Health checks always do: a policy that forgets them would have a service restarted. */
export type Policy = (incoming: IncomingMessage, admission: Admission) => MaybePromise<Problem | undefined>;

export interface RequestOptions {
  readonly observer?: Observer | undefined;
  /** In the order in which they are asked, until one refuses. */
  readonly policies?: readonly Policy[];
  readonly onRefusal?: ((problem: Problem, incoming: IncomingMessage) => void) | undefined;
}

/** Host name, IPv4 address or bracketed IPv6 address, and a port (RFC 3986 §3.2.2, as far as HTTP needs it). */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]*|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/;
/** Origin or absolute form. A backslash in a path is refused, because some programs read it as a slash. */
const TARGET = /^(?:https?:\/\/[^/?#@\\]+)?(?:\/[^?#\\]*)?(?:[?#].*)?$/i;
const NEGOTIATED = ['accept-language', REQUEST_ID_KEY];

function isHost(host: string): boolean {
  const match = HOST.exec(host);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}

/** What follows on the connection cannot be trusted. */
function badRequest(detail: 'request-unreadable' | 'host-invalid'): Problem {
  return new Problem('bad-request', sentence(detail, {}), { headers: { Connection: 'close' } });
}

/** @returns the problem of a client that expects what the server does not do */
export function refuseExpectation(): Problem {
  return new Problem('expectation-failed', sentence('expectation-failed', {}));
}

/** @returns the problem of a request that Node's parser accepts and the standard forbids (RFC 9112 §3.2 and §6.1) */
export function refuseUnusable({
  httpVersion,
  rawHeaders,
  headers: { host, 'transfer-encoding': coding },
  url = '',
  method,
}: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders' | 'headers' | 'url' | 'method'>): Problem | undefined {
  // Another reader, such as a proxy, may see the end of such a body elsewhere.
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked'))
    return badRequest('request-unreadable');
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0') || !isHost(host ?? '')) return badRequest('host-invalid');
  return TARGET.test(url) || (url === '*' && method === 'OPTIONS') ? undefined : badRequest('host-invalid');
}

function placeholderRequest(incoming?: IncomingMessage): Request {
  const headers = NEGOTIATED.flatMap((name) => {
    const value = incoming?.headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return new Request('http://localhost/', { headers });
}

async function findRefusal(
  policies: readonly Policy[],
  incoming: IncomingMessage,
  admission: Admission,
): Promise<unknown> {
  try {
    for (const policy of policies) {
      const refusal = await policy(incoming, admission);
      if (refusal) return refusal;
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

function respond(incoming: IncomingMessage, outgoing: ServerResponse, response: MaybePromise<Response>): void {
  void getRequestListener(() => response, { errorHandler: () => response })(incoming, outgoing);
}

/**
 * @returns a listener that has each request checked and then answered by the app; one that is given a refusal answers with that
 */
export function createListener(
  { app, refuse }: Pick<Gateway, 'app' | 'refuse'>,
  begin: (response: ServerResponse) => void,
  { observer, policies = [], onRefusal }: RequestOptions,
) {
  const respondUnlessRefused = async (request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> => {
    const { method = '', url = '/' } = incoming;
    const kind = addressKind(method, targetPath(originForm(url)));
    const bindings = { incoming, outgoing, kind, added: undefined };
    const refusal = await findRefusal(policies, incoming, bindings);
    if (refusal === undefined || kind === 'probe') return app.fetch(request, bindings);
    if (refusal instanceof Problem) onRefusal?.(refusal, incoming);
    return refuse(refusal, request, bindings);
  };
  const listener = getRequestListener((request, bindings) => respondUnlessRefused(request, bindings as HttpBindings), {
    // The host of a request that names none, as HTTP/1.0 may.
    hostname: 'localhost',
    // The adapter can make no URL of the request. The app makes a response of every other error, unless that fails, too.
    errorHandler: (error) =>
      error instanceof RequestError
        ? refuse(badRequest('host-invalid'), placeholderRequest(), {})
        : new Response(null, { status: 500 }),
  });
  return (incoming: IncomingMessage, outgoing: ServerResponse, refusal = refuseUnusable(incoming)): void => {
    begin(outgoing);
    observer?.onRequest(incoming, outgoing);
    if (refusal) {
      outgoing.setHeader('Connection', 'close');
      respond(incoming, outgoing, refuse(refusal, placeholderRequest(incoming), { incoming }));
    } else if (incoming.url === '*') {
      // It asks about the server as a whole (RFC 9110 §9.3.7).
      const id = idFrom(incoming.headers[REQUEST_ID_KEY]);
      const headers = { ...COMMON_HEADERS, Allow: listAllowed(METHODS), [REQUEST_ID_HEADER]: id };
      respond(incoming, outgoing, new Response(null, { status: 204, headers }));
    } else {
      // A body that no route reads would wait in memory as long as its request does.
      if (!readsBody(incoming.method ?? '')) incoming.resume();
      void listener(incoming, outgoing);
    }
  };
}
