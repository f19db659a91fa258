import type { IncomingMessage } from 'node:http';
import type { AddressOf } from '../../gateway/http/context.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { TakeQuota } from '../../store/clients.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import type { Admission } from '../server/requests.ts';
import { rateLimitAddress } from './address.ts';
import type { Client } from './client.ts';

export interface RateLimit {
  /** Requests of one client in one window, */
  readonly quota: number;
  /** and of some clients: by the id of a key, or by a scope, of which the greatest counts. */
  readonly others?: ReadonlyMap<string, number> | undefined;
  /** Seconds. */
  readonly window: number;
}

/** A client's quota in one window, as far as this process knows. Times are milliseconds since 1970. */
interface Account {
  readonly client: string;
  readonly quota: number;
  /** When the window ends. */
  readonly ends: number;
  /** Requests that this process may allow before it asks the database again. */
  held: number;
  /** Requests left for all processes, as the database last reported. */
  left: number;
  taking: Promise<void> | undefined;
}

/** Accounts that are kept, and as many of those before them: beyond that, those not used since are dropped. */
const MOST = 50_000;
/** A process takes a client's quota from the database in this many parts, so that it does not ask for every request. */
const PARTS = 50;

/**
 * Counts requests in fixed windows of the clock, which begin for all clients and processes at the same time.
 *
 * @param take takes part of a client's quota from what all processes share; without it this process has the whole quota
 */
export const rateLimiter = ({ window }: Pick<RateLimit, 'window'>, take?: TakeQuota) => {
  const length = window * 1_000;
  /** Of one window: those used lately, and those used before them. */
  let recent = new Map<string, Account>();
  let older = new Map<string, Account>();
  /** When that window ends. */
  let end = 0;

  /** @returns a client's account in the window of a time */
  const accountOf = (client: string, time: number, quota: number): Account => {
    if (time >= end || time < end - length) {
      recent = new Map();
      older = recent;
      end = (Math.floor(time / length) + 1) * length;
    }
    const known = recent.get(client);
    if (known) return known;
    if (recent.size >= MOST) [older, recent] = [recent, new Map()];
    const [held, left] = take ? [0, quota] : [quota, 0];
    const account = older.get(client) ?? { client, quota, ends: end, held, left, taking: undefined };
    recent.set(client, account);
    return account;
  };
  const takePart = (account: Account, from: TakeQuota): MaybePromise<void> => {
    if (account.taking) return account.taking;
    const { client, quota, ends } = account;
    const count = Math.ceil(quota / PARTS);
    const taken = andThen(from({ client, window: ends / length - 1, quota, count }), ({ granted, left }) => {
      account.held += granted;
      account.left = left;
      account.taking = undefined;
    });
    if (taken instanceof Promise) {
      account.taking = taken.catch((error: unknown) => {
        account.taking = undefined;
        throw error;
      });
      return account.taking;
    }
    return taken;
  };
  /** Counts a request. @returns whether it is allowed */
  const consume = (account: Account): MaybePromise<boolean> => {
    if (account.held > 0) {
      account.held -= 1;
      return true;
    }
    if (account.left === 0 || !take) return false;
    return andThen(takePart(account, take), () => consume(account));
  };
  return { accountOf, consume };
};

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
