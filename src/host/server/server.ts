import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { type Gateway, type HeaderRecord, METHODS } from '../../gateway/http/context.ts';
import {
  type AddressKind,
  addressKind,
  COMMON_HEADERS,
  chooseId,
  listAllowed,
  originForm,
  readsBody,
  targetPath,
} from '../../gateway/http/exchange.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { FaultsError } from '../../util/faults-error.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { Observe } from './observer.ts';

/** Times in milliseconds. */
export interface ServerOptions {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly idleTimeout: number;
  /** The most connections that are open at a time. The last place is kept free as long as one is idle; beyond them Node closes new ones. */
  readonly maxConnections: number;
  readonly observe?: Observe | undefined;
  readonly policies?: readonly Policy[];
  readonly onRefusal?: ((problem: Problem, incoming: IncomingMessage) => void) | undefined;
}

/** Bytes of a request's line and headers. A URL that is too long for the API, but not for this, gets a problem that says so. */
const MOST_HEADER_BYTES = 32_768;
/** Milliseconds between looks for requests that are late. */
const LATE_CHECK = 500;
/** Milliseconds that a connection stays open for the next request, more than the 4 or 5 s of most clients' pools. */
const KEEP_ALIVE = 6_000;
/** Idle timeouts of a slow reader: the system accepts more bytes only once a third of its large buffer is free. */
const SLOW_READER_LIMITS = 3;
/** Milliseconds for which an idle connection stays open when the server stops, because a request may be on its way. */
const LINGER = 500;

export class Server {
  readonly http: HttpServer;
  readonly #options: ServerOptions;
  readonly #endStreams: (() => void) | undefined;
  readonly #responses = new Map<Socket, ServerResponse | undefined>();
  #isClosing = false;

  constructor(gateway: Pick<Gateway, 'app' | 'refuse'> & Partial<Pick<Gateway, 'end'>>, options: ServerOptions) {
    const { headersTimeout, requestTimeout, idleTimeout, maxConnections } = options;
    this.#options = options;
    this.#endStreams = gateway.end;
    this.http = createServer({
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
    this.http.maxConnections = maxConnections;
    this.http.timeout = idleTimeout;
    const listener = createListener(gateway, (response) => this.#begin(response), options);
    this.http
      .on('connection', (socket: Socket) => this.#add(socket))
      .on('drop', () => this.#makeRoom())
      .on('timeout', (socket: Socket) => this.#endIfIdle(socket))
      .on('request', listener)
      // A body is asked for by what reads it: that of a refused request is never sent.
      .on('checkContinue', listener)
      .on('checkExpectation', (incoming, outgoing) =>
        listener(incoming, outgoing, new Problem('expectation-failed', sentence('expectation-failed', {}))),
      );
  }

  get connections(): number {
    return this.#responses.size;
  }

  #add(socket: Socket): void {
    this.#responses.set(socket, undefined);
    socket.once('close', () => this.#responses.delete(socket));
    if (this.#responses.size >= this.#options.maxConnections) this.#makeRoom(socket);
  }

  /** Closes the oldest idle connection, so that those of one client cannot keep out all others. */
  #makeRoom(latest?: Socket): void {
    for (const [socket, response] of this.#responses) {
      const isIdle = response?.writableFinished ?? socket.bytesRead === 0;
      if (isIdle && socket !== latest) return void socket.destroy();
    }
  }

  #begin(response: ServerResponse): void {
    this.#responses.set(response.req.socket, response);
    if (this.#isClosing) response.setHeader('Connection', 'close');
  }

  /** Closes a connection on which nothing has moved, unless the service is at work on its request, or its client reads slowly. */
  #endIfIdle(socket: Socket): void {
    const { idleTimeout } = this.#options;
    const latest = this.#responses.get(socket);
    const response = latest?.writableFinished ? undefined : latest;
    if (response?.headersSent === false && response.req.complete) socket.setTimeout(idleTimeout);
    else if (response?.headersSent && socket.timeout === idleTimeout)
      socket.setTimeout(SLOW_READER_LIMITS * idleTimeout);
    else socket.destroy();
  }

  /** New connections are taken for `delay` milliseconds more, and what is in flight is cut off after `timeout`. */
  async stop(delay: number, timeout: number): Promise<void> {
    this.#endStreams?.();
    const late = setTimeout(() => this.http.closeAllConnections(), timeout);
    if (delay > 0) await sleep(delay);
    this.#isClosing = true;
    for (const response of this.#responses.values()) {
      if (response && !response.headersSent) response.setHeader('Connection', 'close');
    }
    const idle = setInterval(() => this.http.closeIdleConnections(), LINGER);
    // `close` of HTTP itself would close idle connections at once, on which a request may be on its way.
    await new Promise<void>((resolve) => void NetServer.prototype.close.call(this.http, () => resolve()));
    clearInterval(idle);
    clearTimeout(late);
  }
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use already',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};

/** @returns `http://host:port`, with the port that the system has chosen for 0 */
export function listen(server: HttpServer, host: string, port: number, prefix = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = LISTEN_FAULTS[error.code ?? ''] ?? error.message;
      reject(new FaultsError([`${prefix}HOST=${host} ${prefix}PORT=${port}: ${reason}`]));
    });
    server.listen({ port, host }, () => {
      const { port: actualPort } = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`);
    });
  });
}

export interface Admission {
  readonly kind: AddressKind;
  policyHeaders?: HeaderRecord | undefined;
}

/** Decides whether a request may pass. Health checks always do: a policy that forgets them would have a service restarted. */
export type Policy = (incoming: IncomingMessage, admission: Admission) => MaybePromise<Problem | undefined>;

/** Host name, IPv4 address or bracketed IPv6 address, and a port (RFC 3986 §3.2.2, as far as HTTP needs it). */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]*|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/;
/** Origin or absolute form. A backslash in a path is refused, because some programs read it as a slash. */
const TARGET = /^(?:https?:\/\/[^/?#@\\]+)?(?:\/[^?#\\]*)?(?:[?#].*)?$/i;
const NEGOTIATED = ['accept-language', 'x-request-id'];

function isHost(host: string): boolean {
  const match = HOST.exec(host);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}

/** Closes a connection, because nothing that follows on it can be trusted. */
function createBadRequest(detail: 'request-unreadable' | 'host-invalid'): Problem {
  return new Problem('bad-request', sentence(detail, {}), { headers: { Connection: 'close' } });
}

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
    return createBadRequest('request-unreadable');
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0') || !isHost(host ?? ''))
    return createBadRequest('host-invalid');
  return TARGET.test(url) || (url === '*' && method === 'OPTIONS') ? undefined : createBadRequest('host-invalid');
}

function createPlaceholderRequest(incoming?: IncomingMessage): Request {
  const headers = NEGOTIATED.flatMap((name) => {
    const value = incoming?.headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return new Request('http://localhost/', { headers });
}

async function findRefusal(
  policies: readonly Policy[],
  incoming: IncomingMessage,
  admission: Admission,
): Promise<unknown> {
  try {
    for (const policy of policies) {
      const refusal = await policy(incoming, admission);
      if (refusal) return refusal;
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

function respond(incoming: IncomingMessage, outgoing: ServerResponse, response: MaybePromise<Response>): void {
  void getRequestListener(() => response, { errorHandler: () => response })(incoming, outgoing);
}

/** @returns a listener that answers with the refusal that it is given, if it is given one */
function createListener(
  { app, refuse }: Pick<Gateway, 'app' | 'refuse'>,
  begin: (response: ServerResponse) => void,
  { observe, policies = [], onRefusal }: ServerOptions,
) {
  const respondUnlessRefused = async (request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> => {
    const { method = '', url = '/' } = incoming;
    const kind = addressKind(method, targetPath(originForm(url)));
    const bindings = { incoming, outgoing, kind, policyHeaders: undefined };
    const refusal = await findRefusal(policies, incoming, bindings);
    if (refusal === undefined || kind === 'probe') return app.fetch(request, bindings);
    if (refusal instanceof Problem) onRefusal?.(refusal, incoming);
    return refuse(refusal, request, bindings);
  };
  const listener = getRequestListener((request, bindings) => respondUnlessRefused(request, bindings as HttpBindings), {
    // The host of a request that names none, as HTTP/1.0 may.
    hostname: 'localhost',
    // The adapter can make no URL of the request. The app makes a response of every other error, unless that fails, too.
    errorHandler: (error) =>
      error instanceof RequestError
        ? refuse(createBadRequest('host-invalid'), createPlaceholderRequest(), {})
        : new Response(null, { status: 500 }),
  });
  return (incoming: IncomingMessage, outgoing: ServerResponse, refusal = refuseUnusable(incoming)): void => {
    begin(outgoing);
    observe?.(incoming, outgoing);
    if (refusal) {
      outgoing.setHeader('Connection', 'close');
      respond(incoming, outgoing, refuse(refusal, createPlaceholderRequest(incoming), { incoming }));
    } else if (incoming.url === '*') {
      // `OPTIONS *` asks about the server as a whole (RFC 9110 §9.3.7).
      const id = chooseId(incoming.headers['x-request-id']);
      const headers = { ...COMMON_HEADERS, Allow: listAllowed(METHODS), 'X-Request-Id': id };
      respond(incoming, outgoing, new Response(null, { status: 204, headers }));
    } else {
      // A body that no route reads would wait in memory as long as its request does.
      if (!readsBody(incoming.method ?? '')) incoming.resume();
      void listener(incoming, outgoing);
    }
  };
}
