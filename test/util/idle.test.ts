import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { idlePool } from '../../src/util/idle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const few = (most: number) => {
  let started = 0;
  const ended: string[] = [];
  const pool = idlePool(
    most,
    () => `thread ${++started}`,
    async (each) => void ended.push(each),
  );
  return { ...pool, ended };
};

test('what was given back is used again, one at a time', () => {
  const { take, giveBack } = few(1);
  giveBack(take());
  expect([take(), take()]).toEqual(['thread 1', 'thread 2']);
});

test('as many are kept as may be idle, and each for some time', async () => {
  const { take, giveBack, ended } = few(1);
  const both = [take(), take()];
  for (const each of both) giveBack(each);
  expect(ended).toEqual(['thread 2']);
  await vi.advanceTimersByTimeAsync(19_999);
  giveBack(take());
  await vi.advanceTimersByTimeAsync(19_999);
  expect(ended).toEqual(['thread 2']);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual(['thread 2', 'thread 1']);
  expect(take()).toBe('thread 3');
});

test('what has ended by itself is not used again, and at the end all are ended', async () => {
  const { take, giveBack, forget, endAll, ended } = few(2);
  const both = [take(), take()];
  for (const each of both) giveBack(each);
  forget('thread 1');
  await endAll();
  expect([ended, take()]).toEqual([['thread 2'], 'thread 3']);
});
