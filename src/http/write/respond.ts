import type { CacheableResponse, Exchange } from '../context.ts';
import { type HeaderRecord, requestIdOf, withCommonHeaders } from '../headers.ts';

/** What a response may have as its content. */
type Content = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

const write = (c: Exchange, status: number, content: Content | null, headers: Record<string, string>): Response => {
  const isAtHand = content !== null && !(content instanceof ReadableStream);
  // HEAD is told how long the content would be, where that is known.
  if (isAtHand && c.req.method === 'HEAD') headers['Content-Length'] = String(Buffer.byteLength(content));
  return new Response(content, { status, headers });
};

/**
 * Every response of every route.
 *
 * @param headers beside those that every response has
 * @param requestId where something else has told it already
 */
export const respond = (
  c: Exchange,
  status: number,
  content: Content | null,
  headers: HeaderRecord,
  requestId: string = requestIdOf(c.req.raw),
): Response => write(c, status, content, withCommonHeaders(headers, requestId));

/** A response to GET that may be sent again as long as it is current. */
export const respondCacheable = (
  c: Exchange,
  content: CacheableResponse['content'],
  headers: HeaderRecord,
  dependsOn: CacheableResponse['dependsOn'],
  source?: CacheableResponse['source'],
): Response => {
  const complete = withCommonHeaders(headers, requestIdOf(c.req.raw));
  // Without a server there is no environment.
  c.env?.record?.({ content, headers: complete, dependsOn, source });
  return write(c, 200, content, complete);
};
