import type { Exchange } from '../context.ts';
import { type HeaderRecord, requestIdOf, withCommonHeaders } from '../headers.ts';

/** The content of a response. */
type Content = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

const write = (c: Exchange, status: number, content: Content | null, headers: Record<string, string>): Response => {
  if (content instanceof ReadableStream) return new Response(content, { status, headers });
  const send = c.env?.send;
  // A response to HEAD has the length of the content, too.
  if (content !== null && (send || c.req.method === 'HEAD')) {
    headers['Content-Length'] = String(Buffer.byteLength(content));
  }
  return send ? send(status, content, headers) : new Response(content, { status, headers });
};

/**
 * Makes a response, with the common headers; every response of a route is made here.
 *
 * @param headers besides the common ones
 * @param requestId where it is known already
 */
export const respond = (
  c: Exchange,
  status: number,
  content: Content | null,
  headers: HeaderRecord,
  requestId: string = requestIdOf(c.req.raw),
): Response => write(c, status, content, withCommonHeaders(headers, requestId));
