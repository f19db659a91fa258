import { createServer } from 'node:http';
import type { Gateway } from '../../gateway/http/context.ts';
import { respondBare } from './bare.ts';
import { type ConnectionOptions, connectionsOf } from './connections.ts';
import { type RequestOptions, requestsOf, standIn } from './requests.ts';
import { slowUploads } from './slow-uploads.ts';
import { stopOf } from './stop.ts';

/** Times in milliseconds. */
export interface ServerOptions extends ConnectionOptions, RequestOptions {
  /** Time limit for a request's headers. */
  readonly headersTimeout: number;
  /** Time limit for a complete request, except for files (see `slow-uploads.ts`). */
  readonly requestTimeout: number;
}

/** Bytes of a request's line and headers that Node reads: more than our own limits, which are explained better. */
const HEADER_ROOM = 32_768;
/** Milliseconds between looks for requests that are late. */
const LATE_CHECK = 500;

/** The app on HTTP/1.1, with every refusal that happens before the app as a problem in the right language. */
export const serverFor = (
  gateway: Pick<Gateway, 'app' | 'refuse'> & Partial<Pick<Gateway, 'end'>>,
  options: ServerOptions,
) => {
  const { headersTimeout, requestTimeout, observer } = options;
  /** It does not listen yet. */
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
  const connections = connectionsOf(server, options);
  const stop = stopOf(server, connections);
  const { handle, refuseExpectation } = requestsOf(gateway, options);
  server.on('request', connections.inOrder(handle));
  // Whoever reads a body asks for it: what is refused before is never sent.
  server.on('checkContinue', connections.inOrder(handle));
  server.on('checkExpectation', connections.inOrder(refuseExpectation));
  respondBare(server, {
    refuse: (problem, target, incoming) => gateway.refuse(problem, standIn(incoming), { target }),
    connections: connections.open,
    uploads: slowUploads(requestTimeout),
    observe: observer?.onBare,
  });
  return {
    server,
    stop: (...times: Parameters<typeof stop>): Promise<void> => {
      gateway.end?.();
      return stop(...times);
    },
    /** The number of open connections. */
    count: (): number => connections.open.size,
  };
};
