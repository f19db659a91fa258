import { expect, test, vi } from 'vitest';
import { type Allowance, rateLimiter } from '../../src/access/rate-limiter.ts';
import type { QuotaRequest, TakeQuota } from '../../src/store/clients.ts';

const LIMIT = { quota: 3, window: 60 };
const yes = (remaining: number, resets = 60): Allowance => ({ isAllowed: true, remaining, resets });
const no = (resets = 60): Allowance => ({ isAllowed: false, remaining: 0, resets });

test('a client has its quota in each window, whatever others do', async () => {
  let now = 60_000_000;
  const consume = rateLimiter(LIMIT, undefined, () => now);
  const asked = [consume('a'), consume('a'), consume('b'), consume('a'), consume('a'), consume('b')];
  expect(asked).toEqual([yes(2), yes(1), yes(2), yes(0), no(), yes(1)]);
  now += 59_001;
  expect(consume('a')).toEqual(no(1));
  now += 999;
  expect([consume('a'), consume('b')]).toEqual([yes(2), yes(2)]);
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
  const limiters = [1, 2, 3].map(() => rateLimiter({ quota: 1_000, window: 60 }, take, () => 0));
  const asked = Array.from({ length: 3_000 }, (_, at) => limiters[at % 3]?.('a'));
  const allowed = (await Promise.all(asked)).filter((each) => each?.isAllowed);
  expect(allowed).toHaveLength(1_000);
  // Not with every request.
  expect(vi.mocked(take).mock.calls.length).toBeLessThanOrEqual(60);
});

test('a small quota is counted one by one', async () => {
  const take = shared();
  const [one, other] = [rateLimiter(LIMIT, take, () => 0), rateLimiter(LIMIT, take, () => 0)];
  const asked = [await one('a'), await other('a'), await one('a'), await other('a'), await one('a')];
  expect(asked.map((each) => each.isAllowed)).toEqual([true, true, true, false, false]);
  expect(asked.at(-1)).toEqual(no());
});

test('what cannot be counted is not let pass, and is counted again later', async () => {
  const take = vi.fn(shared());
  take.mockRejectedValueOnce(new Error('down'));
  const consume = rateLimiter(LIMIT, take, () => 0);
  await expect((async () => consume('a'))()).rejects.toThrow('down');
  expect(await consume('a')).toEqual(yes(2));
});

test('however many addresses are made up, a client that sends on is not forgotten', async () => {
  const consume = rateLimiter({ quota: 1, window: 60 }, undefined, () => 0);
  expect(await consume('client')).toMatchObject({ isAllowed: true });
  for (let at = 0; at < 120_000; at++) {
    await consume(`address ${at}`);
    if (at % 1_000 === 0) expect(await consume('client')).toMatchObject({ isAllowed: false });
  }
});
