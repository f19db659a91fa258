import { nanoid } from 'nanoid';
import type { Exchange, HeaderRecord } from './env.ts';

/** On every answer, whatever it is. */
export const EVERYWHERE: HeaderRecord = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };

/** On every answer outside the trees. */
export const NEUTRAL: HeaderRecord = { Vary: 'Accept-Language' };

export const ID_HEADER = 'X-Request-Id';

/** What a client may call its request. */
export const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** @returns the client's own identifier of a request, where it is usable, or a new one */
export const idFrom = (sent: string | readonly string[] | null | undefined): string =>
  typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : nanoid();

export const requestIdOf = (request: Request): string => idFrom(request.headers.get(ID_HEADER));

/**
 * An answer with a content that is at hand. To HEAD it says how long the content would be.
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
export const respondAlike = (c: Exchange, text: string, headers: Record<string, string>): Response => {
  // Without a server there is no environment.
  c.env?.keep?.({ text, headers });
  return respond(c, 200, text, headers);
};
