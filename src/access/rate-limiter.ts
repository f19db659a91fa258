import { boundedCache } from '../model/bounded-cache.ts';
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import type { TakeQuota } from '../store/clients.ts';

export interface RateLimit {
  /** Requests of one client in one window. */
  readonly quota: number;
  /** Seconds. */
  readonly window: number;
}

/** What is left of a client's quota. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resets: number;
}

/** A client's quota in the current window, as far as this process knows. */
interface Account {
  /** Requests that this process may allow before it asks the database again. */
  held: number;
  /** Requests left for all processes, as the database last reported. */
  left: number;
  taking: Promise<void> | undefined;
}

/** The most bytes of all accounts, of which there are then some 100,000; beyond that the least recently used are dropped. */
const ROOM = 25_600_000;
const ACCOUNT_SIZE = 128;
/** A process takes a client's quota from the database in this many parts, so that it does not ask for every request. */
const PARTS = 50;

/**
 * Counts requests in fixed windows of the clock, which begin for all clients and processes at the same time.
 *
 * @param take takes part of a client's quota from what all processes share; without it this process has the whole quota
 * @param now milliseconds since 1970
 */
export const rateLimiter = (
  { quota, window }: RateLimit,
  take?: TakeQuota,
  now: () => number = Date.now,
): ((client: string) => MaybePromise<Allowance>) => {
  const length = window * 1_000;
  const part = Math.ceil(quota / PARTS);
  const accounts = boundedCache<string, Account>(ROOM, () => ACCOUNT_SIZE);
  let current = 0;
  /** When the current window ends. */
  let end = 0;

  const accountOf = (client: string): Account => {
    const known = accounts.get(client);
    if (known) return known;
    const account = take ? { held: 0, left: quota, taking: undefined } : { held: quota, left: 0, taking: undefined };
    accounts.set(client, account);
    return account;
  };
  const takePart = (client: string, account: Account, from: TakeQuota): MaybePromise<void> => {
    if (account.taking) return account.taking;
    const taken = andThen(from({ client, window: current, quota, count: part }), ({ granted, left }) => {
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
  const consume = (client: string): MaybePromise<Allowance> => {
    const time = now();
    if (time >= end || time < end - length) {
      accounts.clear();
      current = Math.floor(time / length);
      end = (current + 1) * length;
    }
    const account = accountOf(client);
    if (account.held === 0 && account.left > 0 && take) {
      return andThen(takePart(client, account, take), () => consume(client));
    }
    const isAllowed = account.held > 0;
    if (isAllowed) account.held -= 1;
    return {
      isAllowed,
      remaining: account.held + account.left,
      resets: Math.ceil((end - time) / 1_000),
    };
  };
  return consume;
};
