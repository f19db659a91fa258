import type { IncomingMessage } from 'node:http';
import type { AddressOf } from '../http/read/caller.ts';
import type { GatewayResponse } from '../http/server/response.ts';
import { timeOfTurn } from '../http/server/turn.ts';
import { URLS } from '../http/urls.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import type { TakeQuota } from '../store/clients.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { rateLimitAddress } from './address.ts';
import type { Client } from './client.ts';
import { limitLines } from './limit-lines.ts';
import { type Allowance, type RateLimit, rateLimiter } from './rate-limiter.ts';

/** @returns whether a request is a health check, many of which a monitoring system sends from one address */
const isUnlimited = (url: string | undefined): boolean => url === URLS.live || url === URLS.ready;

/** Counts a request, of a client where one is known. @returns the problem where its limit is exceeded */
export type LimitRequests = (
  incoming: IncomingMessage,
  outgoing: GatewayResponse,
  client?: Client,
) => MaybePromise<Problem | undefined>;

/**
 * Limits the requests of each client, and reports the limit in each response.
 *
 * @param take takes part of a client's quota from what all processes share; without it this process has the whole quota
 */
export const limitRequests = (limit: RateLimit, addressOf: AddressOf, take?: TakeQuota): LimitRequests => {
  const consume = rateLimiter(limit, take, timeOfTurn);
  const linesOf = limitLines(limit);
  const tell = (outgoing: GatewayResponse, allowance: Allowance): Problem | undefined => {
    outgoing.limit = linesOf(allowance);
    const { isAllowed, resets } = allowance;
    if (isAllowed) return undefined;
    return new Problem('rate-limited', sentence('rate-limited', { seconds: resets }), {
      headers: { 'Retry-After': String(resets) },
    });
  };
  return (incoming, outgoing, client) => {
    if (isUnlimited(incoming.url)) return undefined;
    const id = client ? `key ${client.id}` : rateLimitAddress(addressOf(incoming) ?? '');
    const allowance = consume(id);
    if (allowance instanceof Promise) return allowance.then((later) => tell(outgoing, later));
    return tell(outgoing, allowance);
  };
};
