import type { Exchange } from '../../http/context.ts';
import { byteSize, sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';

function tooLarge(limit: number): Problem {
  return new Problem('body-too-large', sentence('body-too-large', { limit: byteSize(limit) }));
}

/** @throws Problem `body-too-large` if `Content-Length` is above the limit, in bytes */
export function checkLength({ req }: Exchange, limit: number): void {
  if (Number(req.raw.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
}

/** @returns the problem of a body that breaks off: its client has probably gone away */
export function brokenOff(): Problem {
  return new Problem('bad-request', sentence('request-unreadable', {}));
}

/**
 * Reads a body as it arrives, with backpressure, so that no client fills the memory. It is read from Node's own stream if there
 * is one, because a web stream costs a promise for every chunk.
 *
 * @param limit bytes
 * @throws Problem `body-too-large` beyond the limit, and `bad-request` if the connection breaks off
 */
export async function* bodyChunks({ env, req }: Exchange, limit: number): AsyncGenerator<Uint8Array> {
  const { incoming, outgoing } = env ?? {};
  // HTTP/1.0 has no `100 Continue` (RFC 9110 §10.1.1).
  if (incoming?.headers.expect !== undefined && incoming.httpVersionMinor === 1) outgoing?.writeContinue();
  let received = 0;
  try {
    // Not destroyed if a body is too large: the response still has to be sent on the connection.
    for await (const chunk of incoming?.iterator({ destroyOnReturn: false }) ?? req.raw.body ?? []) {
      received += chunk.length;
      if (received > limit) throw tooLarge(limit);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Problem ? error : brokenOff();
  }
}

/** @returns the whole body */
export async function readBody(c: Exchange, limit: number): Promise<Uint8Array> {
  checkLength(c, limit);
  // One buffer, which doubles when it is full: a list of chunks of one byte would take a hundred times as much memory.
  let bytes = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of bodyChunks(c, limit)) {
    const end = length + chunk.length;
    if (end > bytes.length) bytes = Buffer.concat([bytes.subarray(0, length)], Math.max(end, 2 * length));
    bytes.set(chunk, length);
    length = end;
  }
  return bytes.subarray(0, length);
}
