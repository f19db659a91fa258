/** What every request passes before a route responds to it. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import type { Gateway } from '../../gateway/http/context.ts';
import { type HeaderRecord, REQUEST_ID_HEADER } from '../../gateway/http/headers.ts';
import {
  type AddressKind,
  addressKind,
  allowOf,
  METHODS,
  originForm,
  pathOf,
  readsBody,
} from '../../gateway/http/request.ts';
import { COMMON_HEADERS, idFrom, REQUEST_ID_KEY } from '../../gateway/http/respond.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { Connections } from './connections.ts';
import type { Observer } from './observer.ts';

/** What policies know of a request beside the request itself. */
export interface Admission {
  readonly kind: AddressKind;
  /** What a policy adds to the headers of the response, whatever that is. */
  added?: HeaderRecord | undefined;
}

/**
 * Decides whether a request may pass. Health checks always do: a policy that forgets them would have a service restarted.
 *
 * @returns the reason for refusal, if any; a policy that fails refuses, too
 */
export type Policy = (incoming: IncomingMessage, admission: Admission) => MaybePromise<Problem | undefined>;

export interface RequestOptions {
  /** Sees every request, before anything else does, and its response. */
  readonly observer?: Observer | undefined;
  /** In the order in which they are asked, until one refuses. */
  readonly policies?: readonly Policy[];
  /** Called with each request that a policy refuses. */
  readonly onRefusal?: ((problem: Problem, incoming: IncomingMessage) => void) | undefined;
}

const ALL_METHODS = allowOf(METHODS);
/** The host of a request that names none, as HTTP/1.0 may. */
const LOCALHOST = 'localhost';

/** Host name, IPv4 address or bracketed IPv6 address, and a port (RFC 3986 §3.2.2, as far as HTTP needs it). */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]*|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/;
/** Origin or absolute form. A backslash in a path is refused, because some programs read it as a slash. */
const TARGET = /^(?:https?:\/\/[^/?#@\\]+)?(?:\/[^?#\\]*)?(?:[?#].*)?$/i;

const isHost = (host: string): boolean => {
  const match = HOST.exec(host);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
};

/** What follows on the connection cannot be trusted. */
const closing = (detail: 'request-unreadable' | 'host-invalid'): Problem =>
  new Problem('bad-request', sentence(detail, {}), { headers: { Connection: 'close' } });

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
    return closing('request-unreadable');
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0') || !isHost(host ?? '')) return closing('host-invalid');
  return TARGET.test(url) || (url === '*' && method === 'OPTIONS') ? undefined : closing('host-invalid');
}

/** As Node has their names. */
const SPOKEN_FOR = ['accept-language', REQUEST_ID_KEY];

/** @returns stands for a request of which the adapter may make no URL; it has the headers that a response depends on even so */
function standIn(incoming?: IncomingMessage): Request {
  const headers = new Headers();
  for (const name of SPOKEN_FOR) {
    const value = incoming?.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://localhost/', { headers });
}

function respond(incoming: IncomingMessage, outgoing: ServerResponse, response: MaybePromise<Response>): void {
  void getRequestListener(() => response, { errorHandler: () => response })(incoming, outgoing);
}

/** @returns why a request may not pass: the first refusal, or the error of a policy that failed */
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

type Respond = (request: Request, bindings: HttpBindings) => MaybePromise<Response>;

/** @returns a listener that has each request checked and then answered, by default by the app */
export function createListener(
  gateway: Pick<Gateway, 'app' | 'refuse'>,
  connections: Pick<Connections, 'begin'>,
  { observer, policies = [], onRefusal }: RequestOptions,
  next: Respond = gateway.app.fetch,
): RequestListener {
  const { refuse } = gateway;
  const respondUnlessRefused = async (request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> => {
    const { method = '', url = '/' } = incoming;
    const kind = addressKind(method, pathOf(originForm(url)));
    const bindings = { incoming, outgoing, kind, added: undefined };
    const refusal = await findRefusal(policies, incoming, bindings);
    if (refusal === undefined || kind === 'probe') return next(request, bindings);
    if (refusal instanceof Problem) onRefusal?.(refusal, incoming);
    return refuse(refusal, request, bindings);
  };
  const listener = getRequestListener((request, bindings) => respondUnlessRefused(request, bindings as HttpBindings), {
    hostname: LOCALHOST,
    // The adapter can make no URL of the request. The app makes a response of every other error, unless that fails, too.
    errorHandler: (error) =>
      error instanceof RequestError
        ? refuse(closing('host-invalid'), standIn(), {})
        : new Response(null, { status: 500 }),
  });
  return (incoming, outgoing) => {
    const { method = '', url, headers } = incoming;
    connections.begin(outgoing);
    observer?.onRequest(incoming, outgoing);
    const refusal = refuseUnusable(incoming);
    if (refusal) {
      outgoing.setHeader('Connection', 'close');
      respond(incoming, outgoing, refuse(refusal, standIn(incoming), { incoming }));
    } else if (url === '*') {
      // It asks about the server as a whole (RFC 9110 §9.3.7).
      const allow = { ...COMMON_HEADERS, Allow: ALL_METHODS, [REQUEST_ID_HEADER]: idFrom(headers[REQUEST_ID_KEY]) };
      respond(incoming, outgoing, new Response(null, { status: 204, headers: allow }));
    } else {
      // A body that no route reads would wait in memory as long as its request does.
      if (!readsBody(method)) incoming.resume();
      void listener(incoming, outgoing);
    }
  };
}

/** @returns a listener for clients that expect what the server does not do */
export function createExpectationListener(
  gateway: Pick<Gateway, 'app' | 'refuse'>,
  connections: Pick<Connections, 'begin'>,
  options: RequestOptions,
): RequestListener {
  return createListener(gateway, connections, options, (request, bindings) => {
    bindings.outgoing.setHeader('Connection', 'close');
    return gateway.refuse(new Problem('expectation-failed', sentence('expectation-failed', {})), request, bindings);
  });
}
