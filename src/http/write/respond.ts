import type { Exchange } from '../context.ts';

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

/** The same for an answer to GET that depends on nothing but its address and the state of the database. */
export const respondCacheable = (c: Exchange, text: string, headers: Record<string, string>): Response => {
  // Without a server there is no environment.
  c.env?.record?.({ text, headers });
  return respond(c, 200, text, headers);
};
