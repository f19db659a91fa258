/**
 * Streams of events. A stream is a cursor, not a queue: woken, it reads the page after its position, and equal ones share the
 * read. So whatever is written, a stream holds one page at most.
 */
import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { Items } from '../port/port.ts';
import { wakingOf } from './waking.ts';

/** What follows a position. */
export interface Page {
  readonly events: Uint8Array<ArrayBuffer>;
  /** The position at its end. */
  readonly position: string;
  readonly isMore: boolean;
  /** Whether nothing can follow it any more. */
  readonly isLast: boolean;
}

/** What a stream tells. */
export interface Feed {
  /** The same for all that tell the same. */
  readonly name: string;
  readonly read: (position: string) => MaybePromise<Page>;
}

/** Whom a stream tells. It must hold nothing else of the request. */
export interface Follower {
  /** Whose it is, where that is known. */
  readonly client: string | undefined;
  /** Whether the client may still read. */
  readonly mayRead: () => MaybePromise<boolean>;
  /** Breaks the connection off. */
  readonly breakOff: () => void;
}

interface Stream {
  readonly feed: Feed;
  readonly follower: Follower;
  readonly controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  position: string;
  /** Milliseconds of a clock when something was last sent. */
  sent: number;
  /** Whether the client has taken what was sent. */
  isDrained: boolean;
  isBehind: boolean;
  isReading: boolean;
}

/** Milliseconds between two looks at all streams. */
const LOOK = 1_000;
/** Milliseconds without an event after which the position is sent, so that a rare filter never falls behind; proxies close silent connections after a minute. */
const SILENCE = 15_000;
/** Milliseconds in which a client must take what it was sent. */
const STALLED = 10_000;
/** Milliseconds after which a client comes back that was cut off; where the service ends, up to as many more, so that not all come at once. */
const RETRY = 1_000;
const SPREAD = 9_000;

const encoder = new TextEncoder();
const at = (position: string): string => `id: ${position}\n\n`;

export type Streams = ReturnType<typeof streamsOf>;

export const streamsOf = ({ watch }: Pick<Items, 'watch'>) => {
  const waking = wakingOf(watch);
  const open = new Set<Stream>();
  /** The reads of this moment, by what they read. */
  const reads = new Map<string, Promise<Page>>();
  let rest: (() => void) | undefined;

  const read = ({ feed, position }: Stream): Promise<Page> => {
    const name = `${feed.name}\n${position}`;
    const known = reads.get(name);
    if (known) return known;
    const begun = (async () => feed.read(position))();
    reads.set(name, begun);
    const forget = (): void => void (reads.get(name) === begun && reads.delete(name));
    begun.then(forget, forget);
    return begun;
  };
  const send = (stream: Stream, bytes: Uint8Array<ArrayBuffer>): void => {
    stream.isDrained = false;
    stream.sent = performance.now();
    stream.controller.enqueue(bytes);
  };
  const leave = (stream: Stream): boolean => {
    const wasOpen = open.delete(stream);
    if (open.size === 0) rest?.();
    return wasOpen;
  };
  const end = (stream: Stream, text = ''): void => {
    if (!leave(stream)) return;
    if (text !== '') stream.controller.enqueue(encoder.encode(text));
    stream.controller.close();
  };
  const advance = async (stream: Stream): Promise<void> => {
    stream.isBehind = true;
    if (stream.isReading) return;
    stream.isReading = true;
    try {
      while (stream.isBehind && stream.isDrained && open.has(stream)) {
        stream.isBehind = false;
        const { events, position, isMore, isLast } = await read(stream);
        if (!open.has(stream)) break;
        stream.position = position;
        stream.isBehind ||= isMore;
        if (events.length > 0) send(stream, events);
        if (isLast) end(stream);
      }
    } catch {
      // The client comes again, with its position; what is wrong then has a status of its own.
      end(stream);
    }
    stream.isReading = false;
  };
  const advanceAll = (): void => {
    // What began before may lack the change.
    reads.clear();
    for (const stream of open) void advance(stream);
  };
  const look = (stream: Stream): void => {
    const { follower, sent, isDrained, position } = stream;
    const silence = performance.now() - sent;
    if (!isDrained && silence >= STALLED) follower.breakOff();
    if (isDrained && silence >= SILENCE) send(stream, encoder.encode(at(position)));
    // If nobody can tell, the next look does.
    (async () => follower.mayRead())().then(
      (mayRead) => mayRead || end(stream),
      () => {},
    );
  };
  /** Listens while there is somebody to tell. */
  const work = (): void => {
    if (rest) return;
    const leaveWaking = waking.listen(advanceAll);
    const timer = setInterval(() => {
      for (const stream of open) look(stream);
    }, LOOK).unref();
    rest = () => {
      clearInterval(timer);
      leaveWaking();
      rest = undefined;
    };
  };

  const opened = (feed: Feed, follower: Follower, first: Page): ReadableStream<Uint8Array<ArrayBuffer>> => {
    const { events, position } = first;
    let stream: Stream;
    return new ReadableStream(
      {
        start: (controller) => {
          // Behind: something may have been written since the first page was read.
          const state = { position, sent: 0, isDrained: false, isBehind: true, isReading: false };
          stream = { feed, follower, controller, ...state };
          open.add(stream);
          work();
          send(stream, encoder.encode(`retry: ${RETRY}\n${at(position)}`));
          if (events.length > 0) controller.enqueue(events);
          if (waking.isEnded()) end(stream);
        },
        pull: () => {
          stream.isDrained = true;
          if (stream.isBehind) void advance(stream);
        },
        cancel: () => void leave(stream),
      },
      { highWaterMark: 0 },
    );
  };

  return {
    isEnded: waking.isEnded,
    changed: waking.changed,
    /** @returns how many streams a client has */
    countOf: (client: string): number =>
      open.values().reduce((count, { follower }) => count + (follower.client === client ? 1 : 0), 0),
    /** @param first the page that it begins with */
    open: (own: Feed, follower: Follower, first: Page): ReadableStream<Uint8Array<ArrayBuffer>> =>
      // Equal ones hold the same, so that the request of each is not kept.
      opened(open.values().find(({ feed }) => feed.name === own.name)?.feed ?? own, follower, first),
    /** Ends all streams, and each new one at once. */
    end: (): void => {
      for (const stream of open) end(stream, `retry: ${RETRY + Math.round(Math.random() * SPREAD)}\n\n`);
      waking.end();
    },
  };
};
