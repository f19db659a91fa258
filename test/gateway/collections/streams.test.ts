import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Feed, readUntil, Streams } from '../../../src/gateway/collections/streams.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const encoder = new TextEncoder();

/** A store whose last change is told by `position`, and streams of it. */
const openStreams = () => {
  let wake = (): void => {};
  let position = 0;
  const reads: string[] = [];
  const watching: boolean[] = [];
  const broken: string[] = [];
  const released: string[] = [];
  const feeds: Feed['read'][] = [];
  const streams = new Streams({
    watch: (listener) => {
      wake = listener;
      watching.push(true);
      return () => void watching.push(false);
    },
  });
  const read: Feed['read'] = (from) => {
    reads.push(from);
    const events = Number(from) < position ? `data: ${position}\n\n` : '';
    return { events: encoder.encode(events), position: String(position), isMore: false, isLast: false };
  };
  const open = (name = 'cars', mayRead: () => boolean | Promise<boolean> = () => true) => {
    // Each has its own function, as each request makes one.
    const feed = { name, read: vi.fn(read) };
    feeds.push(feed.read);
    const follower = { mayRead, breakOff: () => void broken.push(name), release: () => void released.push(name) };
    const first = { events: new Uint8Array(), position: String(position), isMore: false, isLast: false };
    const reader = streams.open(feed, follower, first).pipeThrough(new TextDecoderStream()).getReader();
    return { next: async () => (await reader.read()).value, leave: () => reader.cancel() };
  };
  const write = async (): Promise<void> => {
    position += 1;
    wake();
    await vi.advanceTimersByTimeAsync(10);
  };
  return { streams, open, write, reads, feeds, watching, broken, released };
};

test('streams that tell the same share a read; another one has its own', async () => {
  const { open, write, reads } = openStreams();
  const all = [open(), open(), open('oils')];
  for (const each of all) expect(await each.next()).toBe('retry: 1000\nid: 0\n\n');
  const waiting = all.map(({ next }) => next());
  await vi.advanceTimersByTimeAsync(10);
  reads.length = 0;
  await write();
  expect(await Promise.all(waiting)).toEqual(['data: 1\n\n', 'data: 1\n\n', 'data: 1\n\n']);
  expect(reads).toEqual(['0', '0']);
});

test('of streams that tell the same, the first one’s request is kept, and that of no other', async () => {
  const { open, write, feeds } = openStreams();
  const all = [open(), open(), open()];
  for (const each of all) await each.next();
  await all[0]?.leave();
  const waiting = all.slice(1).map(({ next }) => next());
  await vi.advanceTimersByTimeAsync(10);
  await write();
  expect(await Promise.all(waiting)).toEqual(['data: 1\n\n', 'data: 1\n\n']);
  expect(feeds[0]).toHaveBeenCalled();
  for (const read of feeds.slice(1)) expect(read).not.toHaveBeenCalled();
});

test('a stream without events sends its position alone every 15 seconds', async () => {
  const { open } = openStreams();
  const stream = open();
  await stream.next();
  const next = stream.next();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await next).toBe('id: 0\n\n');
});

test('a client that does not read gets one page, and is cut off after ten seconds', async () => {
  const { open, write, broken } = openStreams();
  open('slow');
  for (let at = 0; at < 5; at++) await write();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(broken).toEqual([]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(broken).toContain('slow');
});

test.each<[what: string, mayRead: () => boolean | Promise<boolean>, isEnded: boolean]>([
  ['may read', () => true, false],
  ['may not', () => false, true],
  ['may not, as is told later', async () => false, true],
  [
    'cannot be told of',
    () => {
      throw new Error('unavailable');
    },
    false,
  ],
  ['cannot be told of later', () => Promise.reject(new Error('unavailable')), false],
])('a client that %s', async (_, mayRead, isEnded) => {
  const { open } = openStreams();
  const stream = open('cars', mayRead);
  await stream.next();
  let ended = false;
  void stream.next().then((text) => (ended = text === undefined));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ended).toBe(isEnded);
});

test('a stream that has ended gives its place back once, and nothing is watched without any', async () => {
  const { open, watching, released } = openStreams();
  const all = [open('cars'), open('oils')];
  expect(watching).toEqual([true]);
  for (const each of [...all, ...all]) await each.leave();
  await vi.advanceTimersByTimeAsync(0);
  expect([released, watching]).toEqual([
    ['cars', 'oils'],
    [true, false],
  ]);
});

test('whoever waits goes on with the first change, or when the time is over, or nobody waits', async () => {
  const { streams, write, watching } = openStreams();
  const wait = async (seconds: number, signal: AbortSignal, isEnough: (reads: number) => boolean): Promise<number> => {
    let reads = 0;
    return readUntil(streams.watcher, seconds, signal, () => ++reads, isEnough);
  };
  const { signal } = new AbortController();
  const changed = wait(25, signal, (reads) => reads === 2);
  await write();
  expect(await changed).toBe(2);
  const over = wait(1, signal, () => false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await over).toBe(2);
  const leaving = new AbortController();
  const left = wait(25, leaving.signal, () => false);
  await vi.advanceTimersByTimeAsync(1_000);
  leaving.abort();
  expect(await left).toBe(2);
  expect(await wait(25, AbortSignal.abort(), () => false)).toBe(1);
  expect(watching.at(-1)).toBe(false);
});
