import type { IncomingMessage } from 'node:http';
import type { AddressOf } from '../../gateway/http/context.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { TakeQuota } from '../../store/clients.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { Admission } from '../server/requests.ts';
import { rateLimitAddress } from './address.ts';
import type { Client } from './client.ts';
import { type Account, type RateLimit, rateLimiter } from './rate-limiter.ts';

/** Counts a request, of a client where one is known. @returns the problem where its limit is exceeded */
export type LimitRequests = (
  incoming: IncomingMessage,
  admission: Admission,
  client?: Client,
) => MaybePromise<Problem | undefined>;

const quotaOf = ({ quota, others }: RateLimit, client: Client | undefined): number => {
  if (!others || !client) return quota;
  const ofScopes = client.scopes.flatMap((scope) => others.get(scope) ?? []);
  return others.get(client.id) ?? (ofScopes.length > 0 ? Math.max(...ofScopes) : quota);
};

/**
 * Limits the requests of each client, and reports the limit in each response.
 *
 * @param take takes part of a client's quota from what all processes share; without it this process has the whole quota
 */
export const limitRequests = (limit: RateLimit, addressOf: AddressOf, take?: TakeQuota): LimitRequests => {
  const { accountOf, consume } = rateLimiter(limit, take);
  const tell = (admission: Admission, account: Account, time: number, isAllowed: boolean): Problem | undefined => {
    const { quota, held, left, ends } = account;
    const seconds = Math.ceil((ends - time) / 1_000);
    // draft-ietf-httpapi-ratelimit-headers-11 §3 and §4
    const policy = `"default";q=${quota};w=${limit.window}`;
    admission.added = { 'RateLimit-Policy': policy, RateLimit: `"default";r=${held + left};t=${seconds}` };
    if (isAllowed) return undefined;
    return new Problem('rate-limited', sentence('rate-limited', { seconds }), {
      headers: { 'Retry-After': String(seconds) },
    });
  };
  return (incoming, admission, client) => {
    // A monitoring system sends many health checks from one address.
    if (admission.kind === 'probe') return undefined;
    const time = Date.now();
    const name = client ? `key ${client.id}` : rateLimitAddress(addressOf(incoming) ?? '');
    const account = accountOf(name, time, quotaOf(limit, client));
    const isAllowed = consume(account);
    if (isAllowed instanceof Promise) return isAllowed.then((later) => tell(admission, account, time, later));
    return tell(admission, account, time, isAllowed);
  };
};
