import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RouteMatch } from '../../gateway/http/context.ts';
import { idFrom, REQUEST_ID_KEY, traceIdIn } from '../../gateway/http/respond.ts';
import type { CountedRequest, ServedRequest } from '../log/events.ts';

/** What observed requests are reported to, and what is needed to describe them. */
interface ObserverOptions {
  readonly log?: ((served: ServedRequest) => void) | undefined;
  readonly meter?:
    | {
        /** Called with each request before its response. */
        readonly begin: () => void;
        readonly end: (request: CountedRequest) => void;
      }
    | undefined;
  readonly routeOf: (target: string) => RouteMatch;
  readonly clientNameOf: (incoming: IncomingMessage) => string | undefined;
  /** The address of a client as it is logged. */
  readonly addressOf?: (incoming: IncomingMessage) => string | undefined;
}

/** The bytes that a connection had written when its last response ended. */
const BYTES = Symbol('bytes');

/** @returns the bytes that a connection has written since the last call */
const bytesOf = (socket: Socket & { [BYTES]?: number }): number => {
  const before = socket[BYTES] ?? 0;
  socket[BYTES] = socket.bytesWritten;
  return socket[BYTES] - before;
};

const NO_ROUTE: RouteMatch = { route: undefined, language: undefined };

/** Characters of a path that are logged. */
const LONGEST = 200;

const pathIn = (target: string): string => {
  const end = target.indexOf('?');
  return target.slice(0, Math.min(end === -1 ? target.length : end, LONGEST));
};

/** Gives a request its identifier as if the client had sent it, so that its response and all log lines have the same one. */
const identify = ({ headers }: IncomingMessage): string => {
  const id = idFrom(headers[REQUEST_ID_KEY]);
  headers[REQUEST_ID_KEY] = id;
  return id;
};

/** Observes every request and its response; it changes nothing but the identifier of a request that has none. */
export class Observer {
  readonly #options: ObserverOptions;
  /** The status that was written for a request that did not arrive completely. */
  readonly #faultStatus = new WeakMap<ServerResponse, number>();
  /** The language of the words for which a request was refused, if they are another tree's. */
  readonly #wordLanguages = new WeakMap<object, string>();

  constructor(options: ObserverOptions) {
    this.#options = options;
  }

  /** Before anything else sees a request. */
  onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { log, meter, routeOf, clientNameOf, addressOf } = this.#options;
    const begunAt = performance.now();
    const { method = '', url = '', headers, socket } = incoming;
    const requestId = identify(incoming);
    meter?.begin();
    outgoing.once('close', () => {
      const sent = outgoing.headersSent ? outgoing.statusCode : undefined;
      const status = (incoming.complete ? undefined : this.#faultStatus.get(outgoing)) ?? sent;
      const counted = { ...routeOf(url), method, status, duration: performance.now() - begunAt };
      meter?.end(counted);
      log?.({
        ...counted,
        path: pathIn(url),
        bytes: bytesOf(socket),
        requestId,
        client: clientNameOf(incoming),
        address: addressOf?.(incoming),
        traceId: traceIdIn(headers.traceparent),
        wordsOf: status !== undefined && status >= 400 ? this.#wordLanguages.get(incoming) : undefined,
      });
    });
  }

  /** Has a request logged with the language of the words that its tree has refused. */
  onForeignWords(incoming: object, language: string | undefined): void {
    if (language !== undefined) this.#wordLanguages.set(incoming, language);
  }

  /**
   * Called with each fault of the parser that is answered.
   *
   * @param code of the fault
   * @param response of the request that did not arrive completely; `undefined` if none had begun
   */
  onParserFault(code: string, status: number, response: ServerResponse | undefined): void {
    if (response) {
      this.#faultStatus.set(response, status);
      return;
    }
    const { log, meter } = this.#options;
    const counted = { ...NO_ROUTE, method: '', status, duration: undefined };
    meter?.begin();
    meter?.end(counted);
    log?.({ ...counted, path: '', bytes: 0, requestId: '', fault: code });
  }
}
