import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdlePool } from '../../src/util/idle.ts';

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

test('what has ended by itself is not used again, and at the end all are ended', async () => {
  const { pool, ended } = few(2);
  const both = [pool.take(), pool.take()];
  for (const each of both) pool.giveBack(each);
  pool.forget('thread 1');
  await pool.endAll();
  expect([ended, pool.take()]).toEqual([['thread 2'], 'thread 3']);
});
