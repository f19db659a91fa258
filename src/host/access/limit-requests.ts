import type { IncomingMessage } from 'node:http';
import type { AddressOf } from '../../gateway/http/context.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { Admission } from '../server/requests.ts';
import { type Client, countedAs } from './client.ts';

interface RateLimit {
  readonly quota: number;
  readonly others?: ReadonlyMap<string, number> | undefined;
  /** Seconds. */
  readonly window: number;
}

const MOST_CLIENTS = 50_000;

/** Counts the requests of each client in fixed windows of the clock, in the memory of this process. */
export class RequestCounter {
  /** Milliseconds. */
  readonly #length: number;
  readonly #counts = new Map<string, number>();
  /** Milliseconds since 1970 at which the window ends. */
  #end = 0;

  /** @param window seconds */
  constructor(window: number) {
    this.#length = window * 1_000;
  }

  count(client: string, time: number): { readonly count: number; readonly end: number } {
    if (time >= this.#end || time < this.#end - this.#length) {
      this.#counts.clear();
      this.#end = (Math.floor(time / this.#length) + 1) * this.#length;
    }
    const count = (this.#counts.get(client) ?? 0) + 1;
    this.#counts.delete(client);
    this.#counts.set(client, count);
    if (this.#counts.size > MOST_CLIENTS) this.#counts.delete(this.#counts.keys().next().value ?? '');
    return { count, end: this.#end };
  }
}

/** Counts a request, of a client if one is known. @returns the problem if its limit is exceeded */
export type LimitRequests = (incoming: IncomingMessage, admission: Admission, client?: Client) => Problem | undefined;

function findQuota(client: Client | undefined, { quota, others }: RateLimit): number {
  if (!others || !client) return quota;
  const byScope = client.scopes.flatMap((scope) => others.get(scope) ?? []);
  return others.get(client.id) ?? (byScope.length > 0 ? Math.max(...byScope) : quota);
}

/** Limits the requests of each client, and reports the limit in each response. */
export function limitRequests(limit: RateLimit, addressOf: AddressOf): LimitRequests {
  const counter = new RequestCounter(limit.window);
  return (incoming, admission, client) => {
    // A monitoring system sends many health checks from one address.
    if (admission.kind === 'probe') return undefined;
    const time = Date.now();
    const quota = findQuota(client, limit);
    const { count, end } = counter.count(countedAs(client, addressOf(incoming)), time);
    const seconds = Math.ceil((end - time) / 1_000);
    // draft-ietf-httpapi-ratelimit-headers-11 §3 and §4
    admission.added = {
      'RateLimit-Policy': `"default";q=${quota};w=${limit.window}`,
      RateLimit: `"default";r=${Math.max(0, quota - count)};t=${seconds}`,
    };
    if (count <= quota) return undefined;
    const headers = { 'Retry-After': String(seconds) };
    return new Problem('rate-limited', sentence('rate-limited', { seconds }), { headers });
  };
}
