import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import { paced } from '../../model/paced.ts';
import type { Env } from '../context.ts';
import { COMMON_HEADERS, REQUEST_ID_HEADER, requestIdOf } from '../headers.ts';
import { allowOf, isSafe, METHODS, readsBody } from '../methods.ts';
import { respondBare } from './bare.ts';
import { type ConnectionOptions, type Connections, connectionsOf } from './connections.ts';
import type { Observer } from './observer.ts';
import { pipeline, type Stage } from './pipeline.ts';
import { hasBody, invalidHost, refusalOf, unknownExpectation } from './protocol.ts';
import { type Policy, refusingWith, spokenFor } from './refusal.ts';
import { requestOrder } from './request-order.ts';
import { GatewayResponse } from './response.ts';
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
const discardBody: Stage = (incoming) => {
  if (hasBody(incoming) && !readsBody(incoming.method ?? '')) incoming.resume();
  return false;
};

/** To `OPTIONS *`, which asks about the server as a whole (RFC 9110 §9.3.7). */
const respondToAsterisk: Stage = (incoming, outgoing) => {
  if (incoming.url !== '*') return false;
  const id = requestIdOf(new Request('http://localhost/', { headers: spokenFor(incoming) }));
  outgoing.writeHead(204, { Allow: ALL_METHODS, ...COMMON_HEADERS, [REQUEST_ID_HEADER]: id }).end();
  return true;
};

export interface GatewayServer extends Pick<Connections, 'stop' | 'count'> {
  /** It does not listen yet. */
  readonly server: Server;
}

/** The app on HTTP/1.1, with every refusal that happens before the app as a problem in the right language. */
export const serverFor = (app: Hono<Env>, options: ServerOptions): GatewayServer => {
  const { headersTimeout, requestTimeout, observer, policies = [] } = options;
  const refusals = refusingWith(app);
  const { refuse, refusing } = refusals;
  const listener = getRequestListener(app.fetch, {
    hostname: LOCALHOST,
    // Where the adapter can make no URL. The app makes a response of every other error, and fails only where that fails, too.
    errorHandler: (error) =>
      error instanceof RequestError ? refuse('/', invalidHost()) : new Response(null, { status: 500 }),
  });

  const requests = requestOrder();
  const beginLater = paced<Parameters<Stage>>(WRITES, ([incoming, outgoing]) => {
    if (!incoming.socket.destroyed) void listener(incoming, outgoing);
  });
  const route: Stage = (incoming, outgoing) => {
    if (isSafe(incoming.method ?? '')) void listener(incoming, outgoing);
    else beginLater([incoming, outgoing]);
    return true;
  };

  const server = createServer({
    ServerResponse: GatewayResponse,
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

  const whenSent = (response: GatewayResponse, socket: Socket): void => {
    connections.sent(socket);
    observer?.ended(response, socket);
  };
  const observeClose = (socket: Socket): void => {
    socket.once('close', () => {
      const response = requests.currentOf(socket);
      if (response) observer?.ended(response, socket);
    });
  };
  if (observer) server.on('connection', observeClose);
  const begin: Stage = (_incoming, outgoing) => {
    outgoing.whenSent = whenSent;
    return false;
  };

  // The order of every request: its place behind others of its connection, protocol, policy, routes.
  const protocol = [
    requests.take,
    begin,
    ...(observer ? [observer.stage] : []),
    connections.stage,
    refusing(refusalOf),
    discardBody,
  ];
  const policy = policies.map(refusing);
  server.on('request', pipeline([...protocol, ...policy, respondToAsterisk, route]));
  // Whoever reads a body asks for it: what is refused before is never sent.
  server.on('checkContinue', pipeline([...protocol, ...policy, route]));
  server.on('checkExpectation', pipeline([...protocol, ...policy, refusing(unknownExpectation)]));
  respondBare(server, refusals, requests, slowUploads(requestTimeout), observer?.onBare);
  return { server, stop: connections.stop, count: connections.count };
};
