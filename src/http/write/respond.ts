import type { CacheableResponse, Exchange } from '../context.ts';

/**
 * A response with content at hand. To HEAD it says how long the content would be.
 *
 * @param headers may be changed by whoever calls, so they are not shared between answers
 */
export const respond = (
  c: Exchange,
  status: number,
  text: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Response => {
  if (c.req.method === 'HEAD') headers['Content-Length'] = String(Buffer.byteLength(text));
  return new Response(text, { status, headers });
};

/** The same for a response to GET that may be sent again as long as the database is in the same state. */
export const respondCacheable = (
  c: Exchange,
  text: string,
  headers: Record<string, string>,
  dependsOn: CacheableResponse['dependsOn'],
): Response => {
  // Without a server there is no environment.
  c.env?.record?.({ text, headers, dependsOn });
  return respond(c, 200, text, headers);
};
