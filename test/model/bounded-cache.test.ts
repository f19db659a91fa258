import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedCache } from '../../src/model/bounded-cache.ts';

/** Bytes of a value, and of its entry. */
const SIZE = 72;
const ENTRY = 128 + SIZE;

const filled = (count: number, room: number) => {
  const cache = boundedCache<number, number>(room, (size) => size);
  for (let key = 0; key < count; key++) cache.set(key, SIZE);
  return cache;
};

test('what fits is kept', () => {
  const cache = filled(10, 10 * ENTRY);
  expect(Array.from({ length: 10 }, (_, key) => cache.get(key))).toEqual(Array(10).fill(SIZE));
});

test('what was asked for outlives what was not', () => {
  const cache = filled(10, 10 * ENTRY);
  for (const key of [0, 2, 3]) cache.get(key);
  for (let key = 100; key < 107; key++) cache.set(key, SIZE);
  expect([0, 1, 2, 3, 4].map(cache.get)).toEqual([SIZE, undefined, SIZE, SIZE, undefined]);
});

test('where everything was asked for, something goes all the same', () => {
  const cache = filled(10, 10 * ENTRY);
  for (let key = 0; key < 10; key++) cache.get(key);
  cache.set(100, SIZE);
  expect(cache.get(100)).toBe(SIZE);
  expect(Array.from({ length: 10 }, (_, key) => cache.get(key)).filter((value) => value === undefined)).toHaveLength(1);
});

test('a value that is larger than all the room is not taken, nor is the one before it kept', () => {
  const cache = filled(1, 10 * ENTRY);
  cache.set(0, 10 * ENTRY);
  expect(cache.get(0)).toBeUndefined();
});

test('it returns the last value or none, and never holds more than there is room for', () => {
  const step = fc.tuple(fc.constantFrom('get', 'set', 'delete', 'clear'), fc.nat(30), fc.nat(300));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const cache = boundedCache<number, number>(10 * ENTRY, (size) => size);
      const model = new Map<number, number>();
      for (const [kind, key, size] of steps) {
        if (kind === 'set') {
          cache.set(key, size);
          model.set(key, size);
          expect(cache.get(key)).toBe(size);
        } else if (kind === 'delete') {
          cache.delete(key);
          model.delete(key);
        } else if (kind === 'clear') {
          cache.clear();
          model.clear();
        } else expect([undefined, model.get(key)]).toContain(cache.get(key));
      }
      const kept = [...model].filter(([key]) => cache.get(key) !== undefined);
      expect(kept.reduce((sum, [, size]) => sum + size + 128, 0)).toBeLessThanOrEqual(10 * ENTRY);
    }),
  );
});
