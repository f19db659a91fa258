import type { HttpBindings } from '@hono/node-server';
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

/** @returns Node's request, where there is one; asks a client that expects `100 Continue` for its body */
const incomingOf = ({ env }: Exchange): HttpBindings['incoming'] | undefined => {
  const { incoming, outgoing } = env ?? {};
  // HTTP/1.0 has no such response (RFC 9110 §10.1.1).
  if (incoming?.headers.expect !== undefined && incoming.httpVersionMinor === 1) outgoing?.writeContinue();
  return incoming;
};

/** @returns the body as it arrives, from Node's own stream where there is one: a web stream costs a promise for every chunk */
export const bodyChunks = (c: Exchange): AsyncIterable<Uint8Array> | undefined =>
  // Not destroyed when a body is too large: the response still has to be sent on the connection.
  incomingOf(c)?.iterator({ destroyOnReturn: false }) ?? c.req.raw.body ?? undefined;

/**
 * Collects chunks in one buffer, which doubles when it is full: a list of chunks of one byte would take a hundred times as
 * much memory.
 */
const collector = (limit: number) => {
  let bytes: Uint8Array = new Uint8Array();
  let length = 0;
  return {
    add: (chunk: Uint8Array): void => {
      const end = length + chunk.length;
      if (end > limit) throw tooLarge(limit);
      if (length === 0) bytes = chunk;
      else {
        if (end > bytes.length) {
          const larger = new Uint8Array(Math.min(limit, Math.max(end, 2 * bytes.length)));
          larger.set(bytes.subarray(0, length));
          bytes = larger;
        }
        bytes.set(chunk, length);
      }
      length = end;
    },
    all: (): Uint8Array => bytes.subarray(0, length),
  };
};

/** Reads Node's own stream by its events: for a body of one chunk, its iterator takes four times as long. */
const joinedFrom = (incoming: HttpBindings['incoming'], limit: number): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const { add, all } = collector(limit);
    const end = (settle: () => void): void => {
      incoming.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak);
      settle();
    };
    const onEnd = (): void => end(() => resolve(all()));
    const onBreak = (): void => end(() => reject(brokenOff()));
    const onData = (chunk: Uint8Array): void => {
      try {
        add(chunk);
      } catch (error) {
        // Not destroyed: the response still has to be sent on the connection.
        incoming.pause();
        end(() => reject(error));
      }
    };
    // The stream has also ended where the request has no body.
    if (incoming.readableEnded) onEnd();
    else if (incoming.destroyed) onBreak();
    else incoming.on('data', onData).on('end', onEnd).on('error', onBreak).on('close', onBreak);
  });

/**
 * @param limit bytes
 * @returns the whole body
 * @throws Problem `body-too-large` beyond the limit, and `bad-request` where the connection breaks off
 */
export const wholeBody = async (c: Exchange, limit: number): Promise<Uint8Array> => {
  checkLength(c, limit);
  const incoming = incomingOf(c);
  if (incoming) return joinedFrom(incoming, limit);
  const { add, all } = collector(limit);
  try {
    for await (const chunk of c.req.raw.body ?? []) add(chunk);
    return all();
  } catch (error) {
    throw error instanceof Problem ? error : brokenOff();
  }
};
