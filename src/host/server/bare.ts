import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Problem } from '../../gateway/texts/problem.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import { type Connection, lastOf } from './connections.ts';
import type { Observer } from './observer.ts';
import { LATE, methodIn, type ParserFault, parserProblem, targetIn, unknownMethod } from './protocol.ts';
import type { slowUploads } from './slow-uploads.ts';

/** Milliseconds for a client to read the refusal before its connection is closed. */
const LINGER = 500;

/**
 * A response where Node has no response object: written onto the bare socket, which is closed after it.
 *
 * @param isHead whether the body is left out
 * @returns the bytes written; 0 where the client is gone
 */
const writeBare = async (socket: Duplex, response: Response, isHead: boolean): Promise<number> => {
  const body = await response.text();
  const { status, headers } = response;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...[...headers].map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  if (!socket.writable) return 0;
  // A client that kept sending could keep its request alive for as long as it likes.
  const text = `${lines.join('\r\n')}\r\n\r\n${isHead ? '' : body}`;
  socket.end(text, () => {
    const late = setTimeout(() => socket.destroy(), LINGER);
    socket.once('close', () => clearTimeout(late));
  });
  return Buffer.byteLength(text);
};

/** Whether the client said that its request is the last one of the connection (RFC 9112 §9.3). */
const isLast = ({ headers: { connection = '' }, httpVersion }: IncomingMessage): boolean =>
  /\bclose\b/i.test(connection) || (httpVersion === '1.0' && !/\bkeep-alive\b/i.test(connection));

const closes = (response: ServerResponse): boolean => response.getHeader('Connection') === 'close';

interface BareOptions {
  readonly refuse: (problem: Problem, target: string, incoming?: IncomingMessage) => MaybePromise<Response>;
  readonly connections: ReadonlyMap<Duplex, Connection>;
  readonly uploads: ReturnType<typeof slowUploads>;
  readonly observe: Observer['onBare'] | undefined;
}

/**
 * Responds to what Node hands over as a socket: CONNECT, and what its parser rejects. The response follows those of earlier
 * requests on the connection.
 */
export const respondBare = (server: Server, { refuse, connections, uploads, observe }: BareOptions): void => {
  /** Once the response before it is sent, if there is one. */
  const respond = (
    socket: Duplex,
    made: MaybePromise<Response>,
    request: Parameters<Observer['onBare']>[0],
    before: ServerResponse | undefined,
  ): void => {
    const write = async (): Promise<void> => {
      const response = await made;
      const bytes = await writeBare(socket, response, request.method === 'HEAD');
      observe?.(request, response, bytes);
    };
    if (before === undefined || before.writableFinished) void write();
    else before.once('finish', write);
  };

  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    // From here on the server knows nothing of the socket: neither its errors nor, at the end, to close it.
    socket.on('error', () => socket.destroy()).on('finish', () => socket.destroy());
    const connection = connections.get(socket);
    socket.on('drain', () => connection?.current?.emit('drain'));
    const response = refuse(unknownMethod(), '/', incoming);
    const request = { method: incoming.method ?? '', target: incoming.url ?? '', begun: undefined };
    respond(socket, response, request, connection && lastOf(connection));
  });

  const failed = new WeakSet<Duplex>();
  server.on('clientError', (fault: ParserFault, socket: Duplex) => {
    if (failed.has(socket)) return;
    const connection = connections.get(socket);
    const last = connection && lastOf(connection);
    // Node emits it once for each request.
    const again = (): boolean => server.emit('clientError', fault, socket);
    if (fault.code === LATE && last && !last.headersSent && uploads.mayGoOn(last.req, again)) return;
    failed.add(socket);
    const isBroken = last !== undefined && !last.req.complete;
    const isBegun = last === connection?.current;
    // Nothing can be written into the middle of a response, or to a client that is gone.
    if (fault.code === 'ECONNRESET' || !socket.writable || (isBroken && isBegun && last.headersSent)) {
      socket.destroy();
      return;
    }
    // Data after the last request is not a request.
    if (last && (closes(last) || (!isBroken && isLast(last.req)))) return;
    // One that waits never begins.
    if (isBroken && !isBegun) connection?.waiting.pop();
    const before = isBroken && isBegun ? undefined : connection && lastOf(connection);
    const target = (isBroken && last.req.url) || targetIn(fault);
    const method = (isBroken && last.req.method) || methodIn(fault);
    const response = refuse(parserProblem(fault), target);
    const request = { method, target: method === '' ? '' : target, begun: isBroken && isBegun ? last : undefined };
    respond(socket, response, request, before);
  });
};
