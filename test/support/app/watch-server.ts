import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Check, Seen } from '../documents/check.ts';

/** Bytes of an answer that are kept to be looked at. */
const LIMIT = 262_144;

/** @param lines of a head, without the first one */
const headersIn = (lines: string): Headers =>
  new Headers(
    lines.split('\r\n').map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );

/** A head as Node wrote it: the only place where all headers are, and not documented. */
interface Written {
  readonly _header: string;
}

/** Keeps what is written into an answer, and leaves the answer as it is. */
const recorded = (
  outgoing: ServerResponse,
): { readonly headers: () => Headers; readonly text: () => string | undefined } => {
  const chunks: Buffer[] = [];
  let length = 0;
  const keep = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    length += chunk.length;
    if (length <= LIMIT) chunks.push(Buffer.from(chunk as string));
  };
  const { write, end } = outgoing;
  outgoing.write = ((...args: Parameters<typeof write>) => {
    keep(args[0]);
    return write.apply(outgoing, args);
  }) as typeof write;
  outgoing.end = ((...args: Parameters<typeof end>) => {
    keep(args[0]);
    return end.apply(outgoing, args);
  }) as typeof end;
  return {
    headers: () => headersIn((outgoing as ServerResponse & Written)._header.trim().replace(/^.*\r\n/, '')),
    text: () => (length > LIMIT ? undefined : Buffer.concat(chunks).toString()),
  };
};

/**
 * Checks every answer that a server writes whole, whoever asked for it.
 *
 * @returns throws the first fault that was found, once all that was answered has been looked at
 */
export const watchServer = (server: Server, check: Check): (() => Promise<void>) => {
  const checks: Promise<void>[] = [];
  const faults: unknown[] = [];
  const watch = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method = '', url = '/' } = incoming;
    // Asks about the server as a whole, of which documents say nothing.
    if (url === '*') return;
    const { headers, text } = recorded(outgoing);
    outgoing.once('finish', () => {
      const { statusCode: status } = outgoing;
      const seen = { method, target: url, status, headers: headers(), text: method === 'HEAD' ? '' : text() };
      checks.push(check(seen).catch((fault: unknown) => void faults.push(fault)));
    });
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, watch);
  return async () => {
    await Promise.all(checks);
    if (faults.length > 0) throw faults[0];
  };
};

const REQUEST_LINE = /^[\r\n]*(\S+) (\S+) /;
const ONE_ANSWER = /^HTTP\/1\.1 ([2-5]\d\d)[\s\S]*?\r\n([\s\S]*?)\r\n\r\n([\s\S]*)$/;

/**
 * @param request one request, as it was sent
 * @param answer what came back, its bytes as Latin-1
 * @returns the exchange; `undefined` where it is not exactly one, or is about the server as a whole
 */
export const exchangeIn = (request: string, answer: string): Seen | undefined => {
  const found = ONE_ANSWER.exec(answer);
  if (!found || answer.split('HTTP/1.1 ').length !== 2) return undefined;
  const [, status, lines = '', body = ''] = found;
  const headers = headersIn(lines);
  // Node's own answers to what its parser refuses stand in no document.
  if (body === '' && lines === 'Connection: close') return undefined;
  // Nobody knows what is asked for before the headers are complete.
  const [, method = '', target = '/'] = (/\n\r?\n/.test(request) && REQUEST_LINE.exec(request)) || [];
  if (target === '*' || method === 'CONNECT') return undefined;
  const isWhole =
    !headers.has('transfer-encoding') &&
    (method === 'HEAD' || body.length === Number(headers.get('content-length') ?? 0));
  return {
    method,
    target,
    status: Number(status),
    headers,
    text: isWhole ? Buffer.from(body, 'latin1').toString() : undefined,
  };
};
