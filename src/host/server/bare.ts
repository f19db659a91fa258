import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Problem } from '../../gateway/texts/problem.ts';
import type { BareRequest, Observer } from './observer.ts';
import { LATE, methodIn, type ParserFault, parserProblem, targetIn, unknownMethod } from './protocol.ts';
import type { RequestOrder } from './request-order.ts';
import type { SlowUploads } from './slow-uploads.ts';

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
  readonly refuse: (problem: Problem, target: string, incoming?: IncomingMessage) => Response;
  readonly order: RequestOrder;
  readonly uploads: SlowUploads;
  readonly observe: Observer['onBare'] | undefined;
}

/**
 * Responds to what Node hands over as a socket: CONNECT, and what its parser rejects. The response follows those of earlier
 * requests on the connection.
 */
export const respondBare = (server: Server, { refuse, order, uploads, observe }: BareOptions): void => {
  const respond = async (socket: Duplex, response: Response, request: BareRequest): Promise<void> => {
    const bytes = await writeBare(socket, response, request.method === 'HEAD');
    observe?.(request, response, bytes);
  };

  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    // From here on the server knows nothing of the socket: neither its errors nor, at the end, to close it.
    socket.on('error', () => socket.destroy()).on('finish', () => socket.destroy());
    socket.on('drain', () => order.currentOf(socket)?.emit('drain'));
    const before = order.lastOf(socket);
    const response = refuse(unknownMethod(), '/', incoming);
    const request = { method: incoming.method ?? '', target: incoming.url ?? '', begun: undefined };
    const write = () => void respond(socket, response, request);
    if (before === undefined || before.writableFinished) write();
    else before.once('finish', write);
  });

  const failed = new WeakSet<Duplex>();
  server.on('clientError', (fault: ParserFault, socket: Duplex) => {
    if (failed.has(socket)) return;
    const last = order.lastOf(socket);
    // Node emits it once for each request.
    const again = (): boolean => server.emit('clientError', fault, socket);
    if (fault.code === LATE && last && !last.headersSent && uploads.mayGoOn(last.req, again)) return;
    failed.add(socket);
    const isBroken = last !== undefined && !last.req.complete;
    const isBegun = last === order.currentOf(socket);
    // Nothing can be written into the middle of a response, or to a client that is gone.
    if (fault.code === 'ECONNRESET' || !socket.writable || (isBroken && isBegun && last.headersSent)) {
      socket.destroy();
      return;
    }
    // Data after the last request is not a request.
    if (last && (closes(last) || (!isBroken && isLast(last.req)))) return;
    const before = isBroken ? order.skip(last) : last;
    const target = (isBroken && last.req.url) || targetIn(fault);
    const method = (isBroken && last.req.method) || methodIn(fault);
    const response = refuse(parserProblem(fault), target);
    const request = { method, target: method === '' ? '' : target, begun: isBroken && isBegun ? last : undefined };
    const write = () => void respond(socket, response, request);
    if (before === undefined || before.writableFinished) write();
    else before.once('finish', write);
  });
};
