import type { Exchange } from '../../http/context.ts';
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import { byteSize } from '../../texts/size.ts';

export const tooLarge = (limit: number): Problem =>
  new Problem('body-too-large', sentence('body-too-large', { limit: byteSize(limit) }));

/** @throws Problem `body-too-large` where `Content-Length` is above the limit, in bytes */
export const checkLength = ({ req }: Exchange, limit: number): void => {
  if (Number(req.raw.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
};

/** @returns the problem of a body that breaks off, which is the fault of the client: it has probably gone away */
export const brokenOff = (): Problem => new Problem('bad-request', sentence('request-unreadable', {}));

/**
 * @returns the body as it arrives, from Node's own stream where there is one: a web stream costs a promise for every chunk; a
 *   client that expects `100 Continue` is asked for it
 */
export function bodyChunks({ env, req }: Exchange): AsyncIterable<Uint8Array> | undefined {
  const { incoming, outgoing } = env ?? {};
  // HTTP/1.0 has no such response (RFC 9110 §10.1.1).
  if (incoming?.headers.expect !== undefined && incoming.httpVersionMinor === 1) outgoing?.writeContinue();
  // Not destroyed when a body is too large: the response still has to be sent on the connection.
  return incoming?.iterator({ destroyOnReturn: false }) ?? req.raw.body ?? undefined;
}

/**
 * @param limit bytes
 * @returns the whole body
 * @throws Problem `body-too-large` beyond the limit, and `bad-request` where the connection breaks off
 */
export async function wholeBody(c: Exchange, limit: number): Promise<Uint8Array> {
  checkLength(c, limit);
  // One buffer, which doubles when it is full: a list of chunks of one byte would take a hundred times as much memory.
  let bytes = Buffer.alloc(0);
  let length = 0;
  try {
    for await (const chunk of bodyChunks(c) ?? []) {
      const end = length + chunk.length;
      if (end > limit) throw tooLarge(limit);
      if (end > bytes.length) bytes = Buffer.concat([bytes.subarray(0, length)], Math.max(end, 2 * length));
      bytes.set(chunk, length);
      length = end;
    }
  } catch (error) {
    throw error instanceof Problem ? error : brokenOff();
  }
  return bytes.subarray(0, length);
}
