/**
 * Streams of events. A stream is a cursor, not a queue: woken, it reads the page after its position, and equal streams share the
 * read. So whatever is written, a stream holds one page at most.
 */
import { ConcurrencyLimiter, type Refusal } from '../../util/concurrency-limiter.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { Items } from '../port/port.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';

export interface Page {
  readonly events: Uint8Array<ArrayBuffer>;
  /** The position at its end. */
  readonly position: string;
  readonly isMore: boolean;
  /** Whether nothing can follow it any more. */
  readonly isLast: boolean;
}

export interface Feed {
  /** Streams with the same name share reads. */
  readonly name: string;
  readonly read: (position: string) => MaybePromise<Page>;
}

/** The client of a stream. It must hold nothing else of the request. */
export interface Follower {
  readonly mayRead: () => MaybePromise<boolean>;
  readonly breakOff: () => void;
  /** Called once when the stream has ended. */
  readonly release: () => void;
}

/** How many clients may follow a list or wait for a change, each of which takes a connection; any number by default. */
export interface StreamLimits {
  readonly all: number;
  readonly client: number;
}

interface Stream {
  readonly feed: Feed;
  readonly follower: Follower;
  /** Whether something may have been written since its last read. */
  isBehind: boolean;
  wake: () => void;
}

/** Milliseconds between two calls of listeners, for changes that come together: a thousand commits a second need no thousand reads. */
const GATHER = 10;
/** Milliseconds between two checks of a stream. */
const CHECK = 1_000;
/** Milliseconds without an event after which the position is sent, so that a rare filter never falls behind; proxies close silent connections after a minute. */
const SILENCE = 15_000;
/** Milliseconds in which a client must take what it was sent. */
const STALLED = 10_000;
/** Milliseconds after which a client comes back that was cut off; if the service ends, up to `SPREAD` more, so that not all come at once. */
const RETRY = 1_000;
const SPREAD = 9_000;

/** Seconds after which a client that has too many streams may try again. */
const LATER = '60';
const UNLIMITED: StreamLimits = { all: Number.MAX_SAFE_INTEGER, client: Number.MAX_SAFE_INTEGER };

const encoder = new TextEncoder();

/** Calls its listeners after changes, and watches the store while it has any. */
class ChangeWatcher {
  isEnded = false;
  readonly #watch: Items['watch'];
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #calledAt = Number.NEGATIVE_INFINITY;
  #stopWatching: (() => void) | undefined;

  constructor(watch: Items['watch']) {
    this.#watch = watch;
  }

  /** Calls a listener after each change. @returns a function that removes the listener */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#stopWatching ??= this.#watch(() => {
      this.#timer ??= setTimeout(() => this.#callAll(), Math.max(0, this.#calledAt + GATHER - performance.now()));
    });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stopWatching?.();
      this.#stopWatching = undefined;
    };
  }

  async next(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = this.listen(resolve);
    signal.addEventListener('abort', () => resolve());
    await promise;
    stop();
  }

  end(): void {
    this.isEnded = true;
    clearTimeout(this.#timer);
    this.#callAll();
  }

  #callAll(): void {
    this.#timer = undefined;
    this.#calledAt = performance.now();
    for (const listener of this.#listeners) listener();
  }
}

/** Reads again after each change. @returns the result that is enough, or the last one before the time, the client or the service has gone */
export async function readUntil<T>(
  watcher: ChangeWatcher,
  seconds: number,
  signal: AbortSignal,
  read: () => MaybePromise<T>,
  isEnough: (result: T) => boolean,
): Promise<T> {
  const timeout = new AbortController();
  const end = AbortSignal.any([signal, timeout.signal]);
  const timer = setTimeout(() => timeout.abort(), seconds * 1_000);
  try {
    for (;;) {
      const isLast = end.aborted || watcher.isEnded;
      // Before the read, so that no change is missed.
      const change = isLast ? undefined : watcher.next(end);
      const result = await read();
      if (isLast || isEnough(result)) return result;
      await change;
    }
  } finally {
    clearTimeout(timer);
    timeout.abort();
  }
}

/** A connection that stays open would be held like a stream. */
function refuseFollower(refusal: Refusal, most: number): Problem {
  const headers = { 'Retry-After': LATER, Connection: 'close' };
  return refusal === 'client'
    ? new Problem('rate-limited', sentence('client-streams', { most }), { headers })
    : new Problem('unavailable', sentence('followers-exhausted', {}), { headers });
}

export class Streams {
  readonly watcher: ChangeWatcher;
  /** Limits who follows a list or waits for a change. */
  readonly limiter: ConcurrencyLimiter;
  readonly #streams = new Set<Stream>();
  readonly #reads = new Map<string, Promise<Page>>();
  #stopListening: (() => void) | undefined;

  constructor({ watch }: Pick<Items, 'watch'>, { all, client }: StreamLimits = UNLIMITED) {
    this.watcher = new ChangeWatcher(watch);
    const refuse = (refusal: Refusal): Problem => refuseFollower(refusal, client);
    // Half a place more, so that rounding takes none away.
    this.limiter = new ConcurrencyLimiter({ limit: all, refuse }, (client + 0.5) / all);
  }

  open(own: Feed, follower: Follower, first: Page): ReadableStream<Uint8Array<ArrayBuffer>> {
    // Equal streams share a feed, so that the request of each is not kept.
    const feed = this.#streams.values().find((other) => other.feed.name === own.name)?.feed ?? own;
    const stream: Stream = { feed, follower, isBehind: true, wake: () => {} };
    this.#streams.add(stream);
    this.#stopListening ??= this.watcher.listen(() => this.#wakeAll());
    const pages = this.#follow(stream, first);
    let stalled = setTimeout(follower.breakOff, STALLED);
    return new ReadableStream(
      {
        pull: async (controller) => {
          clearTimeout(stalled);
          // If a read fails, the client comes again with its position, and is told by a status what is wrong.
          const { value } = await pages.next().catch(() => ({ value: undefined }));
          if (!this.#streams.has(stream)) return;
          if (value) {
            controller.enqueue(value);
            stalled = setTimeout(follower.breakOff, STALLED);
          } else {
            this.#leave(stream);
            controller.close();
          }
        },
        cancel: () => {
          clearTimeout(stalled);
          this.#leave(stream);
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Ends all streams, and each new one at once. */
  end(): void {
    this.watcher.end();
  }

  /** @returns the bytes of a stream, as fast as its client takes them */
  async *#follow(stream: Stream, { position, events }: Page): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    yield encoder.encode(`retry: ${RETRY}\nid: ${position}\n\n`);
    if (events.length > 0) yield events;
    let [sentAt, checkedAt] = [performance.now(), performance.now()];
    while (this.#streams.has(stream) && !this.watcher.isEnded) {
      if (stream.isBehind) {
        stream.isBehind = false;
        const page = await this.#read(stream.feed, position);
        stream.isBehind ||= page.isMore;
        position = page.position;
        if (page.events.length > 0) {
          yield page.events;
          sentAt = performance.now();
        }
        if (page.isLast) return;
        continue;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      stream.wake = resolve;
      const timer = setTimeout(resolve, CHECK);
      await promise;
      clearTimeout(timer);
      const now = performance.now();
      if (now - checkedAt >= CHECK) {
        checkedAt = now;
        // If nobody can say it now, the next check asks again.
        if (!(await Promise.try(stream.follower.mayRead).catch(() => true))) return;
      }
      if (now - sentAt >= SILENCE) {
        yield encoder.encode(`id: ${position}\n\n`);
        sentAt = now;
      }
    }
    yield encoder.encode(`retry: ${RETRY + Math.round(Math.random() * SPREAD)}\n\n`);
  }

  #wakeAll(): void {
    // A read that began before may lack the change.
    this.#reads.clear();
    for (const stream of this.#streams) {
      stream.isBehind = true;
      stream.wake();
    }
  }

  #read(feed: Feed, position: string): Promise<Page> {
    const name = `${feed.name}\n${position}`;
    const currentRead = this.#reads.get(name);
    if (currentRead) return currentRead;
    const read = Promise.try(() => feed.read(position));
    this.#reads.set(name, read);
    const forget = (): void => void (this.#reads.get(name) === read && this.#reads.delete(name));
    read.then(forget, forget);
    return read;
  }

  #leave(stream: Stream): void {
    if (this.#streams.delete(stream)) stream.follower.release();
    stream.wake();
    if (this.#streams.size > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }
}
