import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { placesOf } from '../../../../../src/gateway/read/files/threads/places.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @returns some places, and says whose work has begun */
const few = (count: number) => {
  const placeFor = placesOf(count);
  const begun: string[] = [];
  const begin = (name: string, signal?: AbortSignal) => {
    const place = placeFor(signal);
    const taken = place.take().then(() => void begun.push(name));
    return { ...place, taken };
  };
  return { begun, begin };
};
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

test('so many work at one time, and then who has waited longest', async () => {
  const { begun, begin } = few(2);
  const [first] = ['a', 'b', 'c', 'd'].map((name) => begin(name));
  await settled();
  expect(begun).toEqual(['a', 'b']);
  first?.leave();
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('who gives up waiting leaves the place to the next one', async () => {
  const { begun, begin } = few(1);
  const leaving = new AbortController();
  const first = begin('a');
  const second = begin('b', leaving.signal);
  begin('c');
  leaving.abort(new Error('left'));
  await expect(second.taken).rejects.toThrow('left');
  first.leave();
  await settled();
  expect(begun).toEqual(['a', 'c']);
});

test('what lets a thread wait keeps no place, and has one again before it goes on', async () => {
  const { begun, begin } = few(1);
  const slow = begin('slow');
  const other = begin('other');
  const block = Promise.withResolvers<string>();
  const came = slow.lentWhile(block.promise).then((text) => void begun.push(text));
  await vi.advanceTimersByTimeAsync(999);
  expect(begun).toEqual(['slow']);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(['slow', 'other']);
  block.resolve('block');
  await settled();
  expect(begun).toEqual(['slow', 'other']);
  other.leave();
  await came;
  expect(begun).toEqual(['slow', 'other', 'block']);
});

test('a place that comes after the work is over is given to the next one', async () => {
  const { begun, begin } = few(1);
  const slow = begin('slow');
  const other = begin('other');
  const block = Promise.withResolvers<string>();
  void slow.lentWhile(block.promise);
  await vi.advanceTimersByTimeAsync(1_000);
  block.resolve('block');
  await settled();
  slow.leave();
  begin('next');
  other.leave();
  await settled();
  expect(begun).toEqual(['slow', 'other', 'next']);
});
