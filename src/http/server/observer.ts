import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { idFrom, REQUEST_ID_KEY } from '../headers.ts';
import { endedRequests, type Listeners, pathIn } from './ended-requests.ts';
import type { Stage } from './pipeline.ts';
import type { GatewayResponse } from './response.ts';

interface ObserverOptions extends Listeners {
  readonly clientNameOf: (incoming: IncomingMessage) => string | undefined;
  /** The language of the words for which a request was refused, where they are another tree's. */
  readonly wordsOf?: (incoming: IncomingMessage) => string | undefined;
}

/** A request that got its response on the bare socket. */
export interface BareRequest {
  readonly method: string;
  readonly target: string;
  /** Node's response object, where the request had begun. */
  readonly begun: GatewayResponse | undefined;
}

/** Observes every request and its response; it changes nothing. */
export interface Observer {
  /** Before anything else sees a request. */
  readonly stage: Stage;
  /** Called once for each response: when it is sent, or when its connection closes before that. */
  readonly ended: (response: GatewayResponse, socket: Socket) => void;
  readonly onBare: (request: BareRequest, response: Response, bytes: number) => void;
  readonly onCache: ((isHit: boolean) => void) | undefined;
  /** Counts and logs the requests that have ended since it last did, which otherwise happens for many at once. */
  readonly flush: () => void;
}

/** The bytes that a connection had written when its last response ended. */
const BYTES = Symbol('bytes');

/** @returns the bytes that a connection has written since the last call */
const bytesOf = (socket: Socket & { [BYTES]?: number }): number => {
  const before = socket[BYTES] ?? 0;
  socket[BYTES] = socket.bytesWritten;
  return socket[BYTES] - before;
};

/** Replaces characters that Node's parser rejects and a terminal should not receive. */
const visible = (text: string): string => text.replaceAll(/[^\x21-\x7e]/g, '?');

/** Gives a request without a response its identifier as if the client had sent it, so that later log lines have the same one. */
const identify = ({ headers }: IncomingMessage): string => {
  const id = idFrom(headers[REQUEST_ID_KEY]);
  headers[REQUEST_ID_KEY] = id;
  return id;
};

const statusOf = ({ req, bareStatus, headersSent, statusCode }: GatewayResponse): number | undefined =>
  (req.complete ? undefined : bareStatus) ?? (headersSent ? statusCode : undefined);

export const observerOf = (options: ObserverOptions): Observer => {
  const { log, meter, routeOf, clientNameOf, wordsOf } = options;
  const { add, flush } = endedRequests(options);
  const stage: Stage = (_incoming, outgoing) => {
    outgoing.observedAt = performance.now();
    meter?.begin();
    return false;
  };
  const ended: Observer['ended'] = (response, socket) => {
    const { observedAt, known, req } = response;
    if (observedAt === 0) return;
    response.observedAt = 0;
    const status = statusOf(response);
    add({
      method: req.method ?? '',
      url: req.url ?? '',
      known,
      status,
      observedAt,
      endedAt: performance.now(),
      bytes: log ? bytesOf(socket) : 0,
      requestId: response.requestId ?? identify(req),
      client: clientNameOf(req),
      traceparent: req.headers.traceparent,
      wordsOf: status !== undefined && status >= 400 ? wordsOf?.(req) : undefined,
    });
  };
  const onBare: Observer['onBare'] = ({ method, target, begun }, { status, headers }, bytes) => {
    if (begun) {
      begun.bareStatus = status;
      return;
    }
    const counted = { method, ...routeOf(target), status, duration: undefined };
    meter?.count(counted);
    flush();
    const rest = {
      time: Date.now(),
      path: visible(pathIn(target)),
      bytes,
      requestId: headers.get(REQUEST_ID_KEY) ?? '',
      client: undefined,
      traceId: undefined,
      wordsOf: undefined,
    };
    log?.([{ ...counted, ...rest }]);
  };
  return { stage, ended, onBare, onCache: meter?.cached, flush };
};
