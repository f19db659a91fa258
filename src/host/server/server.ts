import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import type { Gateway } from '../../gateway/http/context.ts';
import { idFrom, REQUEST_ID_KEY, withCommonHeaders } from '../../gateway/http/headers.ts';
import { allowOf, isSafe, METHODS, readsBody } from '../../gateway/http/methods.ts';
import { throttled } from '../../util/throttled.ts';
import { respondBare } from './bare.ts';
import { type ConnectionOptions, type Connections, connectionsOf } from './connections.ts';
import type { Observer } from './observer.ts';
import { type Middleware, pipeline } from './pipeline.ts';
import { type Fetch, guarded, type Policy } from './policies.ts';
import { hasBody, invalidHost, refusalOf, unknownExpectation } from './protocol.ts';
import { requestOrder } from './request-order.ts';
import { slowUploads } from './slow-uploads.ts';

/** Times in milliseconds. */
export interface ServerOptions extends ConnectionOptions {
  /** Time limit for a request's headers. */
  readonly headersTimeout: number;
  /** Time limit for a complete request, except for files (see `slow-uploads.ts`). */
  readonly requestTimeout: number;
  /** Sees every request, before anything else does, and its response. */
  readonly observer?: Observer | undefined;
  /** All must let a request pass before anything answers it. */
  readonly policies?: readonly Policy[];
}

/** Bytes of a request's line and headers that Node reads: more than our own limits, which are explained better. */
const HEADER_ROOM = 32_768;
/** Milliseconds between looks for requests that are late. */
const LATE_CHECK = 500;
/** Writes that begin in one turn of the event loop: reading them takes less than half a millisecond, and reads go first. */
const WRITES = 8;
const ALL_METHODS = allowOf(METHODS);
/** The host of a request that names none, as HTTP/1.0 may. */
const LOCALHOST = 'localhost';

/** A body that no route reads would wait in memory as long as its request does, a buffer for each chunk. */
const discardBody: Middleware = (incoming) => {
  if (hasBody(incoming) && !readsBody(incoming.method ?? '')) incoming.resume();
  return false;
};

/** As Node has their names. */
const SPOKEN_FOR = ['accept-language', REQUEST_ID_KEY];

/** The headers that a response depends on even where the request is refused. */
const spokenFor = ({ headers }: IncomingMessage): Headers => {
  const kept = new Headers();
  for (const name of SPOKEN_FOR) {
    const value = headers[name];
    if (typeof value === 'string') kept.set(name, value);
  }
  return kept;
};

/** Stands for a request of which the adapter may make no URL. */
const standIn = (incoming?: IncomingMessage): Request =>
  new Request('http://localhost/', incoming && { headers: spokenFor(incoming) });

export interface GatewayServer extends Pick<Connections, 'stop' | 'count'> {
  /** It does not listen yet. */
  readonly server: Server;
}

/** The app on HTTP/1.1, with every refusal that happens before the app as a problem in the right language. */
export const serverFor = ({ app, refuse }: Pick<Gateway, 'app' | 'refuse'>, options: ServerOptions): GatewayServer => {
  const { headersTimeout, requestTimeout, observer, policies = [] } = options;
  const respond = (incoming: IncomingMessage, outgoing: ServerResponse, response: Response): true => {
    void getRequestListener(() => response, { errorHandler: () => response })(incoming, outgoing);
    return true;
  };
  const refuseProtocol: Middleware = (incoming, outgoing) => {
    const refusal = refusalOf(incoming);
    if (!refusal) return false;
    outgoing.setHeader('Connection', 'close');
    return respond(incoming, outgoing, refuse(refusal, standIn(incoming), { incoming }));
  };
  /** To `OPTIONS *`, which asks about the server as a whole (RFC 9110 §9.3.7). */
  const respondToAsterisk: Middleware = (incoming, outgoing) => {
    if (incoming.url !== '*') return false;
    const headers = withCommonHeaders({ Allow: ALL_METHODS }, idFrom(incoming.headers[REQUEST_ID_KEY]));
    return respond(incoming, outgoing, new Response(null, { status: 204, headers }));
  };
  const listenerOf = (next: Fetch) => {
    const fetch = guarded(policies, refuse, next);
    return getRequestListener((request, bindings) => fetch(request, bindings as HttpBindings), {
      hostname: LOCALHOST,
      // Where the adapter can make no URL. The app makes a response of every other error, and fails only where that fails, too.
      errorHandler: (error) =>
        error instanceof RequestError ? refuse(invalidHost(), standIn(), {}) : new Response(null, { status: 500 }),
    });
  };
  const listener = listenerOf(app.fetch);
  const refuseExpectation = listenerOf((request, bindings) => {
    bindings.outgoing.setHeader('Connection', 'close');
    return refuse(unknownExpectation(), request, bindings);
  });

  const requests = requestOrder();
  const beginLater = throttled<Parameters<Middleware>>(WRITES, ([incoming, outgoing]) => {
    if (!incoming.socket.destroyed) void listener(incoming, outgoing);
  });
  const route: RequestListener = (incoming, outgoing) => {
    if (isSafe(incoming.method ?? '')) void listener(incoming, outgoing);
    else beginLater([incoming, outgoing]);
  };

  const server = createServer({
    maxHeaderSize: HEADER_ROOM,
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: LATE_CHECK,
    // Ours responds with a problem.
    requireHostHeader: false,
    // A request without a body then has no stream to end: no `end` event, and 3 % less CPU for an item.
    optimizeEmptyRequests: true,
    // With one of its own Node would send `Keep-Alive`, which the standard does not have; `connectionsOf` has the limit.
    keepAliveTimeout: 0,
  });
  const connections = connectionsOf(server, requests, options);

  // The order of every request: its place behind others of its connection, protocol, policies, routes.
  const middleware = [
    requests.take,
    ...(observer ? [observer.middleware] : []),
    connections.middleware,
    refuseProtocol,
    respondToAsterisk,
    discardBody,
  ];
  server.on('request', pipeline(middleware, route));
  // Whoever reads a body asks for it: what is refused before is never sent.
  server.on('checkContinue', pipeline(middleware, route));
  server.on(
    'checkExpectation',
    pipeline(middleware, (...exchange) => void refuseExpectation(...exchange)),
  );
  respondBare(server, {
    refuse: (problem, target, incoming) => refuse(problem, standIn(incoming), { target }),
    order: requests,
    uploads: slowUploads(requestTimeout),
    observe: observer?.onBare,
  });
  return { server, stop: connections.stop, count: connections.count };
};
