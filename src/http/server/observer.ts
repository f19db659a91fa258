import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CountedRequest, ServedRequest } from '../../model/log.ts';
import { idFrom, REQUEST_ID_KEY, traceIdIn } from '../headers.ts';
import type { Stage } from './pipeline.ts';

/** The route of a path, and its language. */
export interface Place {
  /** `undefined` where the path matches no route, although it may belong to a tree. */
  readonly route: string | undefined;
  readonly language: string | undefined;
}

/** Counts requests. */
interface Meter {
  /** Called with each request before its response. */
  readonly begin: () => void;
  readonly end: (request: CountedRequest) => void;
  /** Called with each request that got a response without having begun. */
  readonly count: (request: CountedRequest) => void;
  /** Called for each GET that the response cache may serve. */
  readonly cached: (isHit: boolean) => void;
}

interface ObserverOptions {
  readonly log?: ((served: ServedRequest) => void) | undefined;
  readonly meter?: Meter | undefined;
  readonly placeOf: (target: string) => Place;
  readonly clientOf: (incoming: IncomingMessage) => string | undefined;
  /** The language of the words for which a request was refused, where they are another tree's. */
  readonly wordsOf?: (incoming: IncomingMessage) => string | undefined;
}

/** A request that got its response on the bare socket. */
export interface BareRequest {
  readonly method: string;
  readonly target: string;
  /** Node's response object, where the request had begun. */
  readonly begun: ServerResponse | undefined;
}

/** Observes every request and its response; it changes nothing, except that each request gets an identifier. */
export interface Observer {
  /** Before anything else sees a request. */
  readonly stage: Stage;
  readonly onBare: (request: BareRequest, response: Response, bytes: number) => void;
  readonly onCache: ((isHit: boolean) => void) | undefined;
}

/** Characters of a path that are logged. */
const LONGEST = 200;

const pathIn = (target: string): string => {
  const end = target.indexOf('?');
  return target.slice(0, Math.min(end === -1 ? target.length : end, LONGEST));
};
/** Replaces characters that Node's parser rejects and a terminal should not receive. */
const visible = (text: string): string => text.replaceAll(/[^\x21-\x7e]/g, '?');

/** Gives a request its identifier as if the client had sent it, so that every response has it. */
const identify = ({ headers }: IncomingMessage): string => {
  const id = idFrom(headers[REQUEST_ID_KEY]);
  headers[REQUEST_ID_KEY] = id;
  return id;
};

export const observerOf = ({ log, meter, placeOf, clientOf, wordsOf }: ObserverOptions): Observer => {
  /** The status of what was answered on its bare socket after it had begun: it never arrived whole. */
  const bare = new WeakMap<ServerResponse, number>();
  const statusOf = ({ complete }: IncomingMessage, outgoing: ServerResponse): number | undefined =>
    (complete ? undefined : bare.get(outgoing)) ?? (outgoing.headersSent ? outgoing.statusCode : undefined);

  const stage: Stage = (incoming, outgoing) => {
    const start = performance.now();
    const { socket, method = '', url = '' } = incoming;
    const bytesBefore = log ? socket.bytesWritten : 0;
    const requestId = log ? identify(incoming) : '';
    meter?.begin();
    outgoing.on('close', () => {
      const { route, language } = placeOf(url);
      const status = statusOf(incoming, outgoing);
      const counted = { method, route, language, status, duration: performance.now() - start };
      meter?.end(counted);
      log?.({
        ...counted,
        path: pathIn(url),
        bytes: socket.bytesWritten - bytesBefore,
        requestId,
        client: clientOf(incoming),
        traceId: traceIdIn(incoming.headers.traceparent),
        wordsOf: status !== undefined && status >= 400 ? wordsOf?.(incoming) : undefined,
      });
    });
    return false;
  };
  const onBare: Observer['onBare'] = ({ method, target, begun }, { status, headers }, bytes) => {
    if (begun) {
      bare.set(begun, status);
      return;
    }
    const counted = { method, ...placeOf(target), status, duration: undefined };
    meter?.count(counted);
    log?.({
      ...counted,
      path: visible(pathIn(target)),
      bytes,
      requestId: headers.get(REQUEST_ID_KEY) ?? '',
      client: undefined,
      traceId: undefined,
      wordsOf: undefined,
    });
  };
  return { stage, onBare, onCache: meter?.cached };
};
