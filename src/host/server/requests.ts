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

/** Asks policies in their order. @returns the first reason for refusal */
function askPolicies(
  policies: readonly Policy[],
  incoming: IncomingMessage,
  admission: Admission,
): MaybePromise<Problem | undefined> {
  for (const [at, policy] of policies.entries()) {
    const refusal = policy(incoming, admission);
    if (refusal instanceof Promise)
      return refusal.then((later) => later ?? askPolicies(policies.slice(at + 1), incoming, admission));
    if (refusal) return refusal;
  }
  return undefined;
}

type Respond = (request: Request, bindings: HttpBindings) => MaybePromise<Response>;

/** @returns a listener that has each request answered by `next`, unless a policy refuses it */
function listenerFor(next: Respond, { refuse }: Pick<Gateway, 'refuse'>, options: RequestOptions): RequestListener {
  const { policies = [], onRefusal } = options;
  const respondUnlessRefused: Respond = (request, { incoming, outgoing }) => {
    const { method = '', url = '/' } = incoming;
    const kind = addressKind(method, pathOf(originForm(url)));
    const bindings = { incoming, outgoing, kind, added: undefined };
    const decide = (refusal: unknown): MaybePromise<Response> => {
      if (refusal === undefined || kind === 'probe') return next(request, bindings);
      if (refusal instanceof Problem) onRefusal?.(refusal, incoming);
      return refuse(refusal, request, bindings);
    };
    try {
      const refusal = askPolicies(policies, incoming, bindings);
      return refusal instanceof Promise ? refusal.then(decide, decide) : decide(refusal);
    } catch (error) {
      return decide(error);
    }
  };
  const listener = getRequestListener((request, both) => respondUnlessRefused(request, both as HttpBindings), {
    hostname: LOCALHOST,
    // The adapter can make no URL of the request. The app makes a response of every other error, unless that fails, too.
    errorHandler: (error) =>
      error instanceof RequestError
        ? refuse(closing('host-invalid'), standIn(), {})
        : new Response(null, { status: 500 }),
  });
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

/** @returns listeners that have each request checked and answered by the app */
export function listeners(
  gateway: Pick<Gateway, 'app' | 'refuse'>,
  connections: Pick<Connections, 'begin'>,
  options: RequestOptions,
): { readonly handle: RequestListener; readonly refuseExpectation: RequestListener } {
  const checked =
    (listener: RequestListener): RequestListener =>
    (incoming, outgoing) => {
      const { method = '', url, headers } = incoming;
      connections.begin(outgoing);
      options.observer?.onRequest(incoming, outgoing);
      const refusal = refuseUnusable(incoming);
      if (refusal) {
        outgoing.setHeader('Connection', 'close');
        respond(incoming, outgoing, gateway.refuse(refusal, standIn(incoming), { incoming }));
      } else if (url === '*') {
        // It asks about the server as a whole (RFC 9110 §9.3.7).
        const allow = { ...COMMON_HEADERS, Allow: ALL_METHODS, [REQUEST_ID_HEADER]: idFrom(headers[REQUEST_ID_KEY]) };
        respond(incoming, outgoing, new Response(null, { status: 204, headers: allow }));
      } else {
        // A body that no route reads would wait in memory as long as its request does.
        if (!readsBody(method)) incoming.resume();
        listener(incoming, outgoing);
      }
    };
  const refuseExpectation: Respond = (request, bindings) => {
    bindings.outgoing.setHeader('Connection', 'close');
    return gateway.refuse(new Problem('expectation-failed', sentence('expectation-failed', {})), request, bindings);
  };
  return {
    handle: checked(listenerFor(gateway.app.fetch, gateway, options)),
    /** For clients that expect what the server does not do. */
    refuseExpectation: checked(listenerFor(refuseExpectation, gateway, options)),
  };
}
