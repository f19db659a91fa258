import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import type { Store } from '../../store/port.ts';
import type { Problem } from '../../texts/problem.ts';
import type { Env } from '../context.ts';
import { COMMON_HEADERS, requestIdOf } from '../headers.ts';
import { pipeline, type Stage } from './pipeline.ts';
import {
  invalidHost,
  isHead,
  type ParserFault,
  parserProblem,
  refusalOf,
  targetIn,
  unknownExpectation,
  unknownMethod,
} from './protocol.ts';
import { responseCache } from './response-cache.ts';

/** Decides whether a request may pass. @returns why it is refused, if it is; a policy that fails refuses too */
export type Policy = (incoming: IncomingMessage) => MaybePromise<Problem | undefined>;

/** Times in milliseconds. */
export interface ServerOptions {
  /** In which a request's headers must arrive. */
  readonly headersTimeout: number;
  /** In which the whole of a request must arrive. */
  readonly requestTimeout: number;
  /** After which a connection on which nothing moves is closed, whoever is waiting for whom. */
  readonly idleTimeout: number;
  /** Bytes of a body. */
  readonly bodyLimit: number;
  /** Of the database that the answers are from; without it none are kept. */
  readonly dataVersion?: Store['dataVersion'];
  /** All must let a request pass before anything answers it, the cache included. */
  readonly policies?: readonly Policy[];
}

/** Bytes of a request's line and headers that Node reads: more than our own limits, which answer better. */
const HEADER_ROOM = 32_768;
/** Milliseconds between looks for requests that are late. */
const LATE_CHECK = 500;
const ALL_METHODS = 'GET, HEAD, POST, PUT, DELETE, OPTIONS';

/** What an answer takes account of even where the request is refused. */
const spokenFor = ({ headers }: IncomingMessage): Headers => {
  const kept = new Headers();
  for (const name of ['accept-language', 'x-request-id']) {
    const value = headers[name];
    if (typeof value === 'string') kept.set(name, value);
  }
  return kept;
};

/** To `OPTIONS *`, which asks about the server as a whole (RFC 9110 §9.3.7). */
const answerAsterisk: Stage = (incoming, outgoing) => {
  if (incoming.url !== '*') return false;
  const id = requestIdOf(new Request('http://localhost/', { headers: spokenFor(incoming) }));
  outgoing.writeHead(204, { Allow: ALL_METHODS, ...COMMON_HEADERS, 'X-Request-Id': id }).end();
  return true;
};

/**
 * An answer where Node has no response object: written onto the bare socket, which is closed after it.
 *
 * @param isHead whether it goes without its body
 */
const writeBare = async (socket: Duplex, response: Response, isHead = false): Promise<void> => {
  const body = await response.text();
  const { status, headers } = response;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...[...headers].map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  if (socket.writable) socket.end(`${lines.join('\r\n')}\r\n\r\n${isHead ? '' : body}`);
};

/**
 * The app on HTTP/1.1, with every refusal that happens before the app as a problem in the right language.
 *
 * @returns a server that does not listen yet
 */
export const serverFor = (app: Hono<Env>, options: ServerOptions): Server => {
  const { headersTimeout, requestTimeout, idleTimeout, bodyLimit, policies = [] } = options;
  const refuse = async (target: string, refusal: unknown, headers = new Headers()): Promise<Response> =>
    app.fetch(new Request('http://localhost/', { headers }), { target, refusal });
  const cache = options.dataVersion && responseCache(options.dataVersion);
  const bindingsOf = (env: Env['Bindings']): Env['Bindings'] =>
    cache && env.incoming?.method === 'GET' ? { ...env, record: cache.recorder(env.incoming) } : env;
  const answer = getRequestListener((request, env) => app.fetch(request, bindingsOf(env as Env['Bindings'])), {
    hostname: 'localhost',
    // Only what the adapter cannot make a URL of comes here.
    errorHandler: () => refuse('/', invalidHost()),
  });

  /** The last request of each connection, on which requests may wait in line (pipelining). */
  const latest = new WeakMap<Duplex, ServerResponse>();
  const refuseIncoming = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    refusal: unknown,
  ): Promise<void> => {
    const response = await refuse(incoming.url ?? '/', refusal, spokenFor(incoming));
    const body = await response.text();
    const length = { 'Content-Length': Buffer.byteLength(body) };
    outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...length });
    outgoing.end(incoming.method === 'HEAD' ? undefined : body);
    incoming.resume();
  };
  const refusing =
    (policy: Policy): Stage =>
    (incoming, outgoing) => {
      const refuse = (refusal: unknown): true => {
        void refuseIncoming(incoming, outgoing, refusal);
        return true;
      };
      const refuseIf = (refusal: Problem | undefined): boolean => refusal !== undefined && refuse(refusal);
      try {
        const refusal = policy(incoming);
        return refusal instanceof Promise ? refusal.then(refuseIf, refuse) : refuseIf(refusal);
      } catch (error) {
        return refuse(error);
      }
    };
  const remember: Stage = (incoming, outgoing) => {
    latest.set(incoming.socket, outgoing);
    return false;
  };
  const askForBody: Stage = (incoming, outgoing) => {
    // A body that is said to be too large is not asked for.
    if (Number(incoming.headers['content-length'] ?? 0) <= bodyLimit) outgoing.writeContinue();
    return false;
  };
  const route: Stage = (incoming, outgoing) => {
    void answer(incoming, outgoing);
    return true;
  };
  // The order of every request: protocol, policy, cache, routes.
  const protocol = [remember, refusing(refusalOf)];
  const policy = policies.map(refusing);
  const cached = cache ? [cache.serve] : [];
  const onRequest = pipeline([...protocol, ...policy, answerAsterisk, ...cached, route]);

  const server = createServer(
    {
      maxHeaderSize: HEADER_ROOM,
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval: LATE_CHECK,
      // Ours answers with a problem.
      requireHostHeader: false,
    },
    onRequest,
  );
  server.timeout = idleTimeout;
  server.on('checkContinue', pipeline([...protocol, ...policy, askForBody, route]));
  server.on('checkExpectation', pipeline([...protocol, ...policy, refusing(unknownExpectation)]));
  server.on('connect', async (incoming: IncomingMessage, socket: Duplex) => {
    // From here on the server knows nothing of the socket: neither its errors nor, at the end, to close it.
    socket.on('error', () => socket.destroy()).on('finish', () => socket.destroy());
    await writeBare(socket, await refuse('/', unknownMethod(), spokenFor(incoming)));
  });

  const failed = new WeakSet<Duplex>();
  server.on('clientError', async (fault: ParserFault, socket: Duplex) => {
    if (failed.has(socket)) return;
    failed.add(socket);
    const before = latest.get(socket);
    const isBroken = before !== undefined && !before.req.complete;
    // Nothing can be written into the middle of an answer, or to a client that is gone.
    if (fault.code === 'ECONNRESET' || !socket.writable || (isBroken && before.headersSent)) {
      socket.destroy();
      return;
    }
    const target = isBroken ? before.req.url : undefined;
    const response = await refuse(target ?? targetIn(fault), parserProblem(fault));
    const write = () => void writeBare(socket, response, isHead(fault));
    if (before === undefined || isBroken || before.writableFinished) write();
    else before.once('finish', write);
  });
  return server;
};
