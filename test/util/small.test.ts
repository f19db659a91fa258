import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdlePool } from '../../src/gateway/files/threads.ts';
import { digest } from '../../src/gateway/http/exchange.ts';
import { KeySet } from '../../src/util/key-set.ts';
import { memoized } from '../../src/util/memoized.ts';

test('what recurs is made once, until it is too much', () => {
  const made: unknown[] = [];
  const nameOf = memoized((value: unknown) => {
    made.push(value);
    return `${typeof value} ${value}`;
  });
  const long = 'x'.repeat(65);
  const list = [1];
  for (const value of ['1', 1, true, '1', 1, true, long, long, list, list]) {
    expect(nameOf(value)).toBe(`${typeof value} ${value}`);
  }
  expect(made).toEqual(['1', 1, true, long, long, list, list]);
  for (let at = 0; at < 10_000; at++) expect(nameOf(at)).toBe(`number ${at}`);
  expect(nameOf(9_999)).toBe('number 9999');
  expect(made).toHaveLength(7 + 9_999);
});

test('a key is new once, however many there are, and no other is taken for one', () => {
  const set = new KeySet();
  const count = 50_000;
  let known = 0;
  for (let at = 0; at < count; at++) if (!set.add(`car-${at}`)) known++;
  expect(known).toBe(0);
  for (let at = 0; at < count; at += 100) expect([set.has(`car-${at}`), set.add(`car-${at}`)]).toEqual([true, false]);
  const mistaken = Array.from({ length: count }, (_, at) => set.has(`coche-${at}`)).filter(Boolean);
  expect(mistaken.length).toBe(0);
});

test.each([
  ['', '07h0j2b0k4n83c'],
  ['a', '10ae7sx0m87353'],
  ['["cars",[["brand","equals",["seat"]]],null,[]]', '1csyqrp0isx9zo'],
])('the digest of %j stays what it is', (text, expected) => {
  expect(digest(text)).toBe(expected);
});

test('bytes have the digest of their characters, and what differs has another one', () => {
  expect(digest(Buffer.from('Seat'))).toBe(digest('Seat'));
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(fc.string({ maxLength: 4 }), (text) => {
      const known = seen.get(digest(text));
      expect(digest(text)).toMatch(/^[\da-z]{14}$/);
      expect(known ?? text).toBe(text);
      seen.set(digest(text), text);
    }),
    { numRuns: 20_000 },
  );
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const few = (most: number) => {
  let started = 0;
  const ended: string[] = [];
  const pool = new IdlePool(
    most,
    () => `thread ${++started}`,
    async (each) => void ended.push(each),
  );
  return { pool, ended };
};

test('what was given back is used again, one at a time', () => {
  const { pool } = few(1);
  pool.giveBack(pool.take());
  expect([pool.take(), pool.take()]).toEqual(['thread 1', 'thread 2']);
});

test('as many are kept as may be idle, and each for some time', async () => {
  const { pool, ended } = few(1);
  const both = [pool.take(), pool.take()];
  for (const each of both) pool.giveBack(each);
  expect(ended).toEqual(['thread 2']);
  await vi.advanceTimersByTimeAsync(19_999);
  pool.giveBack(pool.take());
  await vi.advanceTimersByTimeAsync(19_999);
  expect(ended).toEqual(['thread 2']);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual(['thread 2', 'thread 1']);
  expect(pool.take()).toBe('thread 3');
});

test('what has ended by itself is not used again', async () => {
  const { pool, ended } = few(2);
  const both = [pool.take(), pool.take()];
  for (const each of both) pool.giveBack(each);
  pool.forget('thread 1');
  await vi.advanceTimersByTimeAsync(20_000);
  expect([ended, pool.take()]).toEqual([['thread 2'], 'thread 3']);
});
