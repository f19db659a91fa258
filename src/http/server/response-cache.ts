import type { IncomingMessage } from 'node:http';
import { boundedCache } from '../../model/bounded-cache.ts';
import type { Validator } from '../../store/port.ts';
import type { CacheableResponse, Dependency } from '../context.ts';
import { idFrom, REQUEST_ID_KEY } from '../headers.ts';
import { recentChanges } from './recent-changes.ts';
import { type GatewayResponse, type KnownAddress, ownHeaders } from './response.ts';
import { isCurrentTurn } from './turn.ts';

/** A cache of complete responses, which are sent again as long as they are current. */
export interface ResponseCache {
  /** Sends the cached response to a request. @returns whether there was one */
  readonly serve: (incoming: IncomingMessage, outgoing: GatewayResponse) => boolean;
  /** @returns a function that caches the response being made; `undefined` where it is not worth caching */
  readonly recorder: (incoming: Request, outgoing: Arrival) => ((response: CacheableResponse) => void) | undefined;
  /** Bytes of the responses. */
  readonly size: () => number;
}

/** The validator of the database that responses are from. */
export type ResponseValidator = Pick<Validator, 'dataVersion' | 'lastChange' | 'changedSince'>;

type Request = Parameters<Dependency>[0];
type Arrival = Pick<GatewayResponse, 'turn' | 'sharesTurn'>;

/** Flat and small, because with many entries most of the cost is waiting for memory. */
interface Entry extends KnownAddress, Pick<CacheableResponse, 'content' | 'source' | 'dependsOn'> {
  /** What selects it among the responses of its address, by `dependsOn`. */
  readonly variant: string;
  /** See `ownHeaders`. */
  readonly headers: string;
  /** Of the content, in bytes. */
  readonly length: string;
  /** The last version of the database for which it was current, and that version's last change number. */
  version: number;
  change: number;
  /** The other responses of its address. */
  readonly next: Entry | undefined;
}

/** The most bytes of one response, and its overhead besides the content. */
const LARGEST = 65_536;
const OVERHEAD = 1_024;

/** The number of URLs in the filter, a power of two. */
const REMEMBERED = 65_536;

/**
 * Tells whether a URL was requested recently. Most are requested once, and caching their responses would cost more than it
 * saves.
 */
const memory = (): ((target: string) => boolean) => {
  const hashes = new Int32Array(REMEMBERED);
  return (target) => {
    // FNV-1a
    let hash = 0x811c9dc5;
    for (let at = 0; at < target.length; at++) hash = Math.imul(hash ^ target.charCodeAt(at), 0x01000193);
    const place = (hash ^ (hash >>> 16)) & (REMEMBERED - 1);
    if (hashes[place] === hash) return true;
    hashes[place] = hash;
    return false;
  };
};

const bytesOf = (entry: Entry | undefined): number =>
  entry ? entry.content.length + OVERHEAD + bytesOf(entry.next) : 0;

/** @returns the entries without those of a variant */
const without = (entry: Entry | undefined, variant: string): Entry | undefined => {
  if (!entry) return undefined;
  const next = without(entry.next, variant);
  return entry.variant === variant ? next : { ...entry, next };
};

/** @returns which variant of the response a request gets; `undefined` where only the handler can tell */
const variantOf = (dependsOn: CacheableResponse['dependsOn'], incoming: Request): string | undefined => {
  let variant: string | undefined;
  for (const dependency of dependsOn) {
    const part = dependency(incoming);
    if (part === undefined) return undefined;
    // No part contains a line break: each comes from a header.
    variant = variant === undefined ? part : `${variant}\n${part}`;
  }
  return variant ?? '';
};

/** @returns whether a request is a GET without preconditions, which may get a cached response */
export const isUnconditional = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers['if-none-match'] === undefined && headers['if-match'] === undefined;

/**
 * No response is older than the database. Where the database has another version since a response was made, the response is
 * sent again only where it can tell that it is still current. What a response depends on beside that, and so which requests
 * get it, its handler says (`CacheableResponse`).
 *
 * @param validator of the database that the responses are from
 * @param capacity bytes of all responses
 */
export const responseCache = (validator: ResponseValidator, capacity: number): ResponseCache => {
  const { dataVersion, lastChange, changedSince } = validator;
  /** By address. */
  const entries = boundedCache<string, Entry>(capacity, bytesOf);
  const isAskedAgain = memory();
  const changes = recentChanges(changedSince);
  let version: number | undefined;
  let change: number | undefined;
  /** The turn in which the database was looked at. */
  let turn = 0;

  /** @returns whether any cached response may still be current */
  const look = (arrival: Arrival): boolean => {
    if (arrival.sharesTurn && isCurrentTurn(arrival.turn)) {
      if (arrival.turn === turn) return true;
      turn = arrival.turn;
    }
    const now = dataVersion();
    if (now === version) return true;
    version = now;
    const before = change;
    change = now === undefined ? undefined : lastChange();
    // A commit without a change number is from another program, whose writes change no revision. Numbers run backwards only in
    // another database, which took the place of this one.
    if (change === undefined || (before !== undefined && change <= before)) {
      entries.clear();
      return false;
    }
    changes.learn(before, change);
    return true;
  };
  const isCurrent = (entry: Entry): boolean => {
    if (entry.version === version) return true;
    const { source } = entry;
    if (version === undefined || change === undefined || !source) return false;
    const hasChanged = source.name === undefined ? undefined : changes.hasChanged(source.name, entry.change);
    if (hasChanged ?? !source.isCurrent()) return false;
    entry.version = version;
    entry.change = change;
    return true;
  };
  const add = (target: string, incoming: Request, response: CacheableResponse, now: number): void => {
    const { content, source, dependsOn } = response;
    const variant = variantOf(dependsOn, incoming);
    const headers = ownHeaders(response.headers);
    if (variant === undefined || headers === undefined) return;
    const known = entries.get(target);
    const next = known?.dependsOn === dependsOn ? without(known, variant) : undefined;
    const length = String(Buffer.byteLength(content));
    const made = { version: now, change: change ?? 0 };
    entries.set(target, { content, length, source, dependsOn, variant, headers, ...made, next, match: undefined });
  };

  return {
    serve: (incoming, outgoing) => {
      const target = incoming.url ?? '';
      const first = entries.get(target);
      if (!first || !isUnconditional(incoming) || !look(outgoing)) return false;
      const variant = variantOf(first.dependsOn, incoming);
      let entry: Entry | undefined = first;
      while (entry && entry.variant !== variant) entry = entry.next;
      if (!entry) return false;
      if (!isCurrent(entry)) {
        entries.delete(target);
        return false;
      }
      outgoing.known = entry;
      const id = idFrom(incoming.headers[REQUEST_ID_KEY]);
      outgoing.sendAgain(entry.headers, entry.length, entry.content, id);
      return true;
    },
    recorder: (incoming, outgoing) => {
      const target = incoming.url ?? '';
      if (!isAskedAgain(target) || !isUnconditional(incoming)) return undefined;
      look(outgoing);
      const before = version;
      return (response) => {
        // A response made while the database changed may be from either version.
        if (before === undefined || version !== before || response.content.length > LARGEST) return;
        add(target, incoming, response, before);
      };
    },
    size: entries.size,
  };
};
