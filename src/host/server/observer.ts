import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RouteMatch } from '../../gateway/http/context.ts';
import { chooseId, readTraceId } from '../../gateway/http/exchange.ts';
import type { CountedRequest, ServedRequest } from '../log/log.ts';

interface ObserverOptions {
  readonly log?: ((served: ServedRequest) => void) | undefined;
  readonly meter?: { readonly begin: () => void; readonly end: (request: CountedRequest) => void } | undefined;
  readonly matchRoute: (target: string) => RouteMatch;
  readonly clientName: (incoming: IncomingMessage) => string | undefined;
  readonly readAddress?: (incoming: IncomingMessage) => string | undefined;
}

export type Observe = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

const BYTES = Symbol('bytes');

function countBytes(socket: Socket & { [BYTES]?: number }): number {
  const before = socket[BYTES] ?? 0;
  socket[BYTES] = socket.bytesWritten;
  return socket[BYTES] - before;
}

/** Characters of a path that are logged. */
const LONGEST_PATH = 200;

/** Makes the function that observes a request and its response; it changes nothing but the identifier of a request that has none. */
export function createObserver({ log, meter, matchRoute, clientName, readAddress }: ObserverOptions): Observe {
  const recordEnd = (incoming: IncomingMessage, outgoing: ServerResponse, duration: number): void => {
    const { method = '', url = '', headers } = incoming;
    const status = outgoing.headersSent ? outgoing.statusCode : undefined;
    const counted = { ...matchRoute(url), method, status, duration };
    meter?.end(counted);
    log?.({
      ...counted,
      path: url.split('?', 1)[0]?.slice(0, LONGEST_PATH) ?? '',
      bytes: countBytes(incoming.socket),
      requestId: String(headers['x-request-id']),
      client: clientName(incoming),
      address: readAddress?.(incoming),
      traceId: readTraceId(headers.traceparent),
    });
  };
  return (incoming, outgoing) => {
    const { headers } = incoming;
    // It is put where the client would have sent it, so that the response and all log lines have the same identifier.
    headers['x-request-id'] = chooseId(headers['x-request-id']);
    const begunAt = performance.now();
    meter?.begin();
    outgoing.once('close', () => recordEnd(incoming, outgoing, performance.now() - begunAt));
  };
}
