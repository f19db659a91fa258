import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import { sizeOf } from '../../texts/size.ts';
import type { Exchange } from '../context.ts';

export const tooLarge = (limit: number): Problem =>
  new Problem('body-too-large', sentence('body-too-large', { limit: sizeOf(limit) }));

/** @throws Problem `body-too-large` where the body is said to be larger than the limit, in bytes */
export const checkLength = ({ req }: Exchange, limit: number): void => {
  if (Number(req.raw.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
};

/** A body that breaks off is the client's fault, who is probably gone. */
export const brokenOff = (): Problem => new Problem('bad-request', sentence('request-unreadable', {}));

/**
 * The body as it arrives; only now is a client asked for it that expects `100 Continue`. Node's own stream where there is
 * one: the web's has a chunk and a promise for every read.
 */
export const chunksOf = ({ req, env }: Exchange): AsyncIterable<Uint8Array> | undefined => {
  const { incoming, outgoing } = env ?? {};
  if (incoming?.headers.expect !== undefined) outgoing?.writeContinue();
  // Not destroyed when a body is too large, for the connection has still to carry the response.
  return incoming?.iterator({ destroyOnReturn: false }) ?? req.raw.body ?? undefined;
};
