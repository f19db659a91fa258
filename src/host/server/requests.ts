/** What every request passes before a route responds to it, in this order: the protocol, then the policies. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import type { Gateway } from '../../gateway/http/context.ts';
import { HEADERS_LIMIT, type HeaderRecord, REQUEST_ID_HEADER } from '../../gateway/http/headers.ts';
import {
  type AddressKind,
  addressKind,
  allowOf,
  isSafe,
  METHODS,
  originForm,
  pathOf,
  readsBody,
} from '../../gateway/http/request.ts';
import { COMMON_HEADERS, idFrom, REQUEST_ID_KEY } from '../../gateway/http/respond.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import { throttled } from '../../util/throttled.ts';
import type { Observer } from './observer.ts';
import {
  headersTooLarge,
  invalidHost,
  unknownCoding,
  unknownExpectation,
  unknownVersion,
  unreadable,
} from './protocol.ts';

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

/** Writes that begin in one turn of the event loop: reading them takes less than half a millisecond, and reads go first. */
const WRITES = 8;
const ALL_METHODS = allowOf(METHODS);
/** The host of a request that names none, as HTTP/1.0 may. */
const LOCALHOST = 'localhost';

/** Host name, IPv4 address or bracketed IPv6 address, and a port (RFC 3986 §3.2.2, as far as HTTP needs it). */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]*|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/;
const isHost = (host: string): boolean => {
  const found = HOST.exec(host);
  return found !== null && Number(found[1] ?? 0) <= 65_535;
};
/** Origin or absolute form. A backslash in a path is refused, because some programs read it as a slash. */
const TARGET = /^(?:https?:\/\/[^/?#@\\]+)?(?:\/[^?#\\]*)?(?:[?#].*)?$/i;

/**
 * Checks what Node's parser accepts and the standard forbids.
 *
 * @returns why the request is refused, or `undefined`
 */
export const refusalOf = ({
  httpVersion,
  rawHeaders,
  headers,
  url = '',
  method,
}: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders' | 'headers' | 'url' | 'method'>): Problem | undefined => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return unknownVersion();
  const coding = headers['transfer-encoding'];
  // RFC 9112 §6.1: framing that HTTP/1.0 does not have; and codings that would go unread.
  if (coding !== undefined && httpVersion === '1.0') return unreadable();
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return unknownCoding();
  let hosts = 0;
  let length = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    length += name.length + (rawHeaders[at + 1] ?? '').length + 4;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (length > HEADERS_LIMIT) return headersTooLarge();
  // RFC 9112 §3.2
  const { host } = headers;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return invalidHost();
  if ((host !== undefined && !isHost(host)) || !(TARGET.test(url) || (url === '*' && method === 'OPTIONS')))
    return invalidHost();
  return undefined;
};

/** As Node has their names. */
const SPOKEN_FOR = ['accept-language', REQUEST_ID_KEY];

/** Stands for a request of which the adapter may make no URL. It has the headers that a response depends on even so. */
export const standIn = (incoming?: IncomingMessage): Request => {
  const headers = new Headers();
  for (const name of SPOKEN_FOR) {
    const value = incoming?.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://localhost/', { headers });
};

export const requestsOf = (
  { app, refuse }: Pick<Gateway, 'app' | 'refuse'>,
  { observer, policies = [], onRefusal }: RequestOptions,
) => {
  const respond = (incoming: IncomingMessage, outgoing: ServerResponse, response: MaybePromise<Response>): void =>
    void getRequestListener(() => response, { errorHandler: () => response })(incoming, outgoing);

  /** @returns the first reason for refusal, of the policies from the one at `first` on */
  const ask = (incoming: IncomingMessage, admission: Admission, first = 0): MaybePromise<Problem | undefined> => {
    for (let at = first; at < policies.length; at++) {
      const refusal = policies[at]?.(incoming, admission);
      if (refusal instanceof Promise) return refusal.then((later) => later ?? ask(incoming, admission, at + 1));
      if (refusal) return refusal;
    }
    return undefined;
  };
  const listenerOf = (next: (request: Request, bindings: HttpBindings) => MaybePromise<Response>) =>
    getRequestListener(
      (request, both) => {
        const { incoming, outgoing } = both as HttpBindings;
        const { method = '', url = '/' } = incoming;
        const kind = addressKind(method, pathOf(originForm(url)));
        const bindings = { incoming, outgoing, kind, added: undefined };
        const decide = (refusal: unknown): MaybePromise<Response> => {
          if (refusal === undefined || kind === 'probe') return next(request, bindings);
          if (refusal instanceof Problem) onRefusal?.(refusal, incoming);
          return refuse(refusal, request, bindings);
        };
        try {
          const refusal = ask(incoming, bindings);
          return refusal instanceof Promise ? refusal.then(decide, decide) : decide(refusal);
        } catch (error) {
          return decide(error);
        }
      },
      {
        hostname: LOCALHOST,
        // Where the adapter can make no URL. The app makes a response of every other error, and fails only where that fails, too.
        errorHandler: (error) =>
          error instanceof RequestError ? refuse(invalidHost(), standIn(), {}) : new Response(null, { status: 500 }),
      },
    );
  const listener = listenerOf(app.fetch);
  const beginLater = throttled<readonly [IncomingMessage, ServerResponse]>(WRITES, ([incoming, outgoing]) => {
    if (!incoming.socket.destroyed) void listener(incoming, outgoing);
  });
  const refuseExpectation = listenerOf((request, bindings) => {
    bindings.outgoing.setHeader('Connection', 'close');
    return refuse(unknownExpectation(), request, bindings);
  });

  const handlerOf =
    (route: RequestListener): RequestListener =>
    (incoming, outgoing) => {
      const { method = '', url, headers } = incoming;
      observer?.onRequest(incoming, outgoing);
      const refusal = refusalOf(incoming);
      if (refusal) {
        outgoing.setHeader('Connection', 'close');
        respond(incoming, outgoing, refuse(refusal, standIn(incoming), { incoming }));
        return;
      }
      // It asks about the server as a whole (RFC 9110 §9.3.7).
      if (url === '*') {
        const allow = { ...COMMON_HEADERS, Allow: ALL_METHODS, [REQUEST_ID_HEADER]: idFrom(headers[REQUEST_ID_KEY]) };
        respond(incoming, outgoing, new Response(null, { status: 204, headers: allow }));
        return;
      }
      // A body that no route reads would wait in memory as long as its request does, a buffer for each chunk.
      const hasBody = (headers['transfer-encoding'] ?? headers['content-length']) !== undefined;
      if (hasBody && !readsBody(method)) incoming.resume();
      route(incoming, outgoing);
    };
  return {
    handle: handlerOf((incoming, outgoing) => {
      if (isSafe(incoming.method ?? '')) void listener(incoming, outgoing);
      else beginLater([incoming, outgoing]);
    }),
    /** For clients that expect what the server does not do. */
    refuseExpectation: handlerOf(refuseExpectation),
  };
};
