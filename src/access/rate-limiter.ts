import { boundedCache } from '../model/bounded-cache.ts';
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import type { TakeQuota } from '../store/port.ts';

export interface RateLimit {
  /** Requests of one client in one window. */
  readonly quota: number;
  /** Seconds. */
  readonly window: number;
}

/** What a client has left. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resets: number;
}

/** What is known of a client in the current window. */
interface Account {
  /** Requests that this process may still let pass by itself. */
  held: number;
  /** Requests that others, or this process later, may take, as far as is known. */
  left: number;
  taking: Promise<void> | undefined;
}

/** Bytes of all accounts, some 100,000; beyond that those are forgotten that sent nothing lately. */
const ROOM = 25_600_000;
const ACCOUNT_SIZE = 128;
/** A process takes a client's quota from the database in so many parts, not to ask with every request. */
const PARTS = 50;

/**
 * Counts requests in windows of the clock, which begin for all clients and processes at once.
 *
 * @param take takes a part of a client's quota from what all processes share; without it this process has all of it
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
    const index = Math.floor(time / length);
    if (index !== current) {
      accounts.clear();
      current = index;
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
      resets: Math.ceil(((index + 1) * length - time) / 1_000),
    };
  };
  return consume;
};
