import { expect, test, vi } from 'vitest';
import { type RateLimit, rateLimiter } from '../../../src/host/access/limit-requests.ts';
import type { QuotaRequest, TakeQuota } from '../../../src/store/clients.ts';

const LIMIT = { quota: 3, window: 60 };

/** @returns a function that counts a request of a client at a time */
const consumer = (limit: RateLimit, take?: TakeQuota) => {
  const { accountOf, consume } = rateLimiter(limit, take);
  return (client: string, time = 0) => consume(accountOf(client, time, limit.quota));
};

test('a client has its quota in each window, whatever others do', () => {
  const consume = consumer(LIMIT);
  const start = 60_000_000;
  const requests: readonly (readonly [client: string, time: number, isAllowed: boolean])[] = [
    ['a', start, true],
    ['a', start, true],
    ['b', start, true],
    ['a', start, true],
    ['a', start, false],
    ['b', start, true],
    ['a', start + 59_999, false],
    ['a', start + 60_000, true],
    ['b', start + 60_000, true],
    ['b', start + 60_000, true],
    ['b', start + 60_000, true],
    ['b', start + 60_000, false],
    // The clock was set back.
    ['b', start - 1, true],
  ];
  for (const [client, time, isAllowed] of requests) expect(consume(client, time), `${client} ${time}`).toBe(isAllowed);
});

test('an account says what is left of it and when its window ends', () => {
  const { accountOf, consume } = rateLimiter(LIMIT);
  const account = accountOf('a', 61_000, LIMIT.quota);
  consume(account);
  expect(account).toMatchObject({ ends: 120_000, held: 2, left: 0 });
});

/** Counts as a database does. */
const shared = (): TakeQuota => {
  const used = new Map<string, number>();
  return vi.fn(async ({ client, window, quota, count }: QuotaRequest) => {
    const id = `${client} ${window}`;
    const before = used.get(id) ?? 0;
    used.set(id, before + count);
    return { granted: Math.max(0, Math.min(count, quota - before)), left: Math.max(0, quota - before - count) };
  });
};

test('processes that share a count let pass together what one alone would', async () => {
  const take = shared();
  const limiters = [1, 2, 3].map(() => consumer({ quota: 1_000, window: 60 }, take));
  const asked = Array.from({ length: 3_000 }, (_, at) => limiters[at % 3]?.('a'));
  const allowed = (await Promise.all(asked)).filter(Boolean);
  expect(allowed).toHaveLength(1_000);
  // Not with every request.
  expect(vi.mocked(take).mock.calls.length).toBeLessThanOrEqual(60);
});

test('a small quota is counted one by one', async () => {
  const take = shared();
  const [one, other] = [consumer(LIMIT, take), consumer(LIMIT, take)];
  const asked = [await one('a'), await other('a'), await one('a'), await other('a'), await one('a')];
  expect(asked).toEqual([true, true, true, false, false]);
});

test('what cannot be counted is not let pass, and is counted again later', async () => {
  const take = vi.fn(shared());
  take.mockRejectedValueOnce(new Error('down'));
  const consume = consumer(LIMIT, take);
  await expect((async () => consume('a'))()).rejects.toThrow('down');
  expect(await consume('a')).toBe(true);
});

test('however many addresses are made up, a client that sends on is not forgotten', async () => {
  const consume = consumer({ quota: 1, window: 60 });
  expect(await consume('client')).toBe(true);
  for (let at = 0; at < 120_000; at++) {
    await consume(`address ${at}`);
    if (at % 1_000 === 0) expect(await consume('client')).toBe(false);
  }
});
