import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Caller } from '../../src/gateway/port/port.ts';
import { refuseAs } from '../../src/gateway/port/unavailable.ts';
import { ConcurrencyLimiter } from '../../src/util/concurrency-limiter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const GIVE_UP_MS = 5_000;
/** Reads that wait or are being done at one time. */
const PLACES = 128;

const refusal = (reason: string) => ({ code: 'unavailable', reason });

/** Reads that end when they are told to, and in which order they began. */
const reads = (atOnce: number, share = 1) => {
  const limiter = new ConcurrencyLimiter(
    { limit: atOnce, queue: PLACES - atOnce, timeout: GIVE_UP_MS, refuse: refuseAs('reads') },
    share,
  );
  const begun: number[] = [];
  const ends = new Map<number, PromiseWithResolvers<number>>();
  const ask = (at: number, caller?: Caller): Promise<number> => {
    const end = Promise.withResolvers<number>();
    ends.set(at, end);
    const read = limiter.run(() => {
      begun.push(at);
      return end.promise;
    }, caller);
    read.catch(() => {});
    return read;
  };
  return {
    begun,
    ask,
    finish: async (at: number): Promise<void> => {
      ends.get(at)?.resolve(at);
      await vi.advanceTimersByTimeAsync(0);
    },
    fail: async (at: number): Promise<void> => {
      ends.get(at)?.reject(new Error(`read ${at}`));
      await vi.advanceTimersByTimeAsync(0);
    },
  };
};

test.each([1, 2, 5])('%i at once, the others in the order in which they came', async (atOnce) => {
  const { begun, ask, finish, fail } = reads(atOnce);
  const asked = Array.from({ length: 8 }, (_, at) => ask(at));
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([0, 1, 2, 3, 4].slice(0, atOnce));
  await finish(0);
  await fail(1);
  expect(begun).toHaveLength(Math.min(8, atOnce + 2));
  for (let at = 2; at < 8; at++) await finish(at);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const ended = (await Promise.allSettled(asked)).map((end) => (end.status === 'fulfilled' ? end.value : end.reason));
  expect(ended).toEqual([0, new Error('read 1'), 2, 3, 4, 5, 6, 7]);
});

test('one that waits too long is refused and never begins; one that has begun may take its time', async () => {
  const { begun, ask, finish } = reads(1);
  const [first, second] = [ask(1), ask(2)];
  await vi.advanceTimersByTimeAsync(GIVE_UP_MS - 1);
  const third = ask(3);
  await vi.advanceTimersByTimeAsync(1);
  await expect(second).rejects.toMatchObject(refusal('reads'));
  await finish(1);
  expect(await first).toBe(1);
  expect(begun).toEqual([1, 3]);
  await finish(3);
  expect(await third).toBe(3);
  expect(vi.getTimerCount()).toBe(0);
});

test('one whose client goes away while it waits never begins, and its place is free at once', async () => {
  const { begun, ask, finish } = reads(1);
  const clients = Array.from({ length: PLACES - 1 }, () => new AbortController());
  const first = ask(0);
  const waiting = clients.map(({ signal }, at) => ask(at + 1, { signal, client: 'a' }));
  await expect(ask(PLACES)).rejects.toMatchObject(refusal('reads'));
  for (const client of clients) client.abort();
  for (const each of waiting) await expect(each).rejects.toMatchObject({ code: 'unavailable', reason: 'database' });
  const after = ask(PLACES + 1);
  await finish(0);
  await finish(PLACES + 1);
  expect([await first, await after]).toEqual([0, PLACES + 1]);
  expect(begun).toEqual([0, PLACES + 1]);
});

test('one client may take its share of the line, and leaves the rest to others', async () => {
  const { ask } = reads(1, 0.5);
  const { signal } = new AbortController();
  for (let at = 0; at < PLACES / 2; at++) void ask(at, { signal, client: 'a' });
  await expect(ask(200, { signal, client: 'a' })).rejects.toMatchObject(refusal('client'));
  for (let at = 0; at < PLACES / 2; at++) void ask(300 + at, { signal, client: 'b' });
  await expect(ask(400, { signal, client: 'c' })).rejects.toMatchObject(refusal('reads'));
});

describe('a limiter at which nothing waits', () => {
  const allLists = (limit: number, share: number): ConcurrencyLimiter =>
    new ConcurrencyLimiter({ limit, refuse: refuseAs('lists') }, share);
  const callerAt = (client: string | undefined): Caller => ({ client, signal: new AbortController().signal });
  const acquireMany = (limiter: ConcurrencyLimiter, count: number, caller?: Caller): Promise<readonly (() => void)[]> =>
    Promise.all(Array.from({ length: count }, () => limiter.acquire(caller)));

  test('refuses when all places are taken, until one is free; freeing it twice frees one', async () => {
    const lists = allLists(3, 1);
    const [first] = await acquireMany(lists, 3);
    await expect(lists.acquire()).rejects.toMatchObject(refusal('lists'));
    first?.();
    first?.();
    await lists.acquire();
    await expect(lists.acquire()).rejects.toMatchObject(refusal('lists'));
  });

  test.each([
    [10, 0.5, 5],
    [10, 0.25, 2],
    [10, 0.01, 1],
    [1, 0.5, 1],
    [32, 1, 32],
  ])('of %i places, a share of %d is %i for one client', async (places, share, limit) => {
    const lists = allLists(places, share);
    const taken = await acquireMany(lists, limit, callerAt('10.0.0.1'));
    const expected = limit === places ? refusal('lists') : refusal('client');
    await expect(lists.acquire(callerAt('10.0.0.1'))).rejects.toMatchObject(expected);
    taken[0]?.();
    await lists.acquire(callerAt('10.0.0.1'));
  });

  test('is shared by all clients, and those without an address have no share of their own', async () => {
    const lists = allLists(6, 0.5);
    await acquireMany(lists, 3, callerAt('10.0.0.1'));
    await acquireMany(lists, 3, callerAt(undefined));
    await expect(lists.acquire(callerAt('10.0.0.2'))).rejects.toMatchObject(refusal('lists'));
    await acquireMany(allLists(6, 0.5), 6, callerAt(undefined));
  });

  test('does not open for a client that has gone away', async () => {
    const lists = allLists(1, 1);
    await expect(lists.acquire({ client: 'a', signal: AbortSignal.abort() })).rejects.toMatchObject(
      refusal('database'),
    );
    await lists.acquire();
  });
});
