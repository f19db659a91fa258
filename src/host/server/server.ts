import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Gateway } from '../../gateway/http/context.ts';
import { type ConnectionOptions, Connections } from './connections.ts';
import type { Observer } from './observer.ts';
import { createExpectationListener, createListener, type RequestOptions } from './requests.ts';
import { slowUploads } from './slow-uploads.ts';

/** Times in milliseconds. */
export interface ServerOptions extends ConnectionOptions, RequestOptions {
  /** Time limit for a request's headers. */
  readonly headersTimeout: number;
  /** Time limit for a complete request, except for files (see `slow-uploads.ts`). */
  readonly requestTimeout: number;
}

/** Bytes of a request's line and headers. A URL that is too long for the API, but not for this, gets a problem that says so. */
const MOST_HEADER_BYTES = 32_768;
/** Milliseconds between looks for requests that are late. */
const LATE_CHECK = 500;
/** Milliseconds that a connection stays open for the next request, more than the 4 or 5 s of most clients' pools. */
const KEEP_ALIVE = 6_000;

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';
/** What Node itself answers to what its parser refuses, by the code of the fault. */
const STATUSES: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large'],
  [LATE]: [408, 'Request Timeout'],
};
const BAD_REQUEST = [400, 'Bad Request'] as const;

/** Answers what Node's parser refuses as Node does, and has it observed. */
function answerParserFaults(
  server: Server,
  connections: Connections,
  requestTimeout: number,
  observer: Observer | undefined,
): void {
  const uploads = slowUploads(requestTimeout);
  server.on('clientError', (fault: NodeJS.ErrnoException, socket: Socket) => {
    const response = connections.unfinished(socket);
    const again = (): boolean => server.emit('clientError', fault, socket);
    if (fault.code === LATE && response && !response.headersSent && uploads.mayGoOn(response.req, again)) return;
    // Whoever is gone reads nothing, and nothing can be written into the middle of a response.
    const isBegun = response !== undefined && !response.req.complete && (response.headersSent || !response.socket);
    if (fault.code === 'ECONNRESET' || !socket.writable || isBegun) {
      socket.destroy();
      return;
    }
    const [status, reason] = STATUSES[fault.code ?? ''] ?? BAD_REQUEST;
    const answer = (): void => {
      observer?.onParserFault(fault.code ?? '', status, response?.req.complete ? undefined : response);
      socket.write(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\n\r\n`);
      socket.destroySoon();
    };
    // After the response to the request before it.
    if (response?.req.complete) response.once('finish', answer);
    else answer();
  });
}

/** @returns the app on Node's HTTP server, which does not listen yet */
export function serverFor(
  gateway: Pick<Gateway, 'app' | 'refuse'> & Partial<Pick<Gateway, 'end'>>,
  options: ServerOptions,
) {
  const { headersTimeout, requestTimeout, idleTimeout, observer } = options;
  const server = createServer({
    maxHeaderSize: MOST_HEADER_BYTES,
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: LATE_CHECK,
    keepAliveTimeout: Math.min(KEEP_ALIVE, idleTimeout),
    // Ours responds with a problem.
    requireHostHeader: false,
    // A request without a body then has no stream to end: no `end` event, and 3 % less CPU for an item.
    optimizeEmptyRequests: true,
  });
  const connections = new Connections(server, options);
  const listener = createListener(gateway, connections, options);
  server.on('request', listener);
  // Whoever reads a body asks for it: what is refused before is never sent.
  server.on('checkContinue', listener);
  server.on('checkExpectation', createExpectationListener(gateway, connections, options));
  answerParserFaults(server, connections, requestTimeout, observer);
  return {
    server,
    stop: (delay: number, timeout: number): Promise<void> => {
      gateway.end?.();
      return connections.stop(delay, timeout);
    },
    /** @returns the number of open connections */
    count: (): number => connections.count,
  };
}
