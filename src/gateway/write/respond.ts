import type { Asked } from '../http/context.ts';
import { type HeaderRecord, requestIdOf, withCommonHeaders } from '../http/headers.ts';

/** The content of a response. */
type Content = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/**
 * Makes a response, with the common headers; every response of a route is made here.
 *
 * @param headers besides the common ones
 * @param requestId where it is known already
 */
export const respond = (
  c: Asked,
  status: number,
  content: Content | null,
  headers: HeaderRecord,
  requestId: string = requestIdOf(c.req.raw),
): Response => {
  const all = withCommonHeaders(headers, requestId, c.env?.added);
  // A response to HEAD has the length of the content, too.
  if (c.req.method === 'HEAD' && content !== null && !(content instanceof ReadableStream)) {
    all['Content-Length'] = String(Buffer.byteLength(content));
  }
  return new Response(content, { status, headers: all });
};
