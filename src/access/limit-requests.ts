import type { IncomingMessage } from 'node:http';
import type { AddressOf } from '../http/read/caller.ts';
import type { GatewayResponse } from '../http/server/response.ts';
import { URLS } from '../http/urls.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import type { TakeQuota } from '../store/clients.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { rateLimitAddress } from './address.ts';
import type { Client } from './client.ts';
import { type Account, type RateLimit, rateLimiter } from './rate-limiter.ts';

/** Health checks, many of which a monitoring system sends from one address. */
const UNLIMITED: readonly (string | undefined)[] = [URLS.live, URLS.ready, `${URLS.ready}?writes`];

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
  const { accountOf, consume } = rateLimiter(limit, take);
  // draft-ietf-httpapi-ratelimit-headers-11 §3 and §4
  const policy = `"default";q=${limit.quota};w=${limit.window}`;
  const tell = (outgoing: GatewayResponse, account: Account, time: number, isAllowed: boolean): Problem | undefined => {
    const { held, left, ends } = account;
    const seconds = Math.ceil((ends - time) / 1_000);
    outgoing.limit = { 'RateLimit-Policy': policy, RateLimit: `"default";r=${held + left};t=${seconds}` };
    if (isAllowed) return undefined;
    return new Problem('rate-limited', sentence('rate-limited', { seconds }), {
      headers: { 'Retry-After': String(seconds) },
    });
  };
  return (incoming, outgoing, client) => {
    if (UNLIMITED.includes(incoming.url)) return undefined;
    const time = Date.now();
    const account = accountOf(client ? `key ${client.id}` : rateLimitAddress(addressOf(incoming) ?? ''), time);
    const isAllowed = consume(account);
    if (isAllowed instanceof Promise) return isAllowed.then((later) => tell(outgoing, account, time, later));
    return tell(outgoing, account, time, isAllowed);
  };
};
