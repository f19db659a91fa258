import { nanoid } from 'nanoid';
import type { Exchange } from './env.ts';

/** A record, never a `Headers`: the server adapter writes it out as it is. */
export type HeaderRecord = Readonly<Record<string, string>>;

/** On every answer, whatever it is. */
export const EVERYWHERE: HeaderRecord = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };

/** On every answer outside the trees. */
export const NEUTRAL: HeaderRecord = { Vary: 'Accept-Language' };

/** What a client may call its request. */
export const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** @returns the client's own identifier of the request, where it is usable, or a new one */
export const requestIdOf = (request: Request): string => {
  const sent = request.headers.get('x-request-id');
  return sent !== null && REQUEST_ID.test(sent) ? sent : nanoid();
};

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
