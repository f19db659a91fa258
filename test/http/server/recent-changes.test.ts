import { expect, test } from 'vitest';
import { recentChanges } from '../../../src/http/server/recent-changes.ts';

const changesIn = (changed: Readonly<Record<number, readonly string[]>>) => recentChanges((from) => changed[from]);

test('before the first look nothing is known', () => {
  const { hasChanged, learn } = changesIn({});
  expect(hasChanged('a', 5)).toBeUndefined();
  learn(undefined, 5);
  expect([hasChanged('a', 4), hasChanged('a', 5)]).toEqual([undefined, false]);
});

test('an item has changed for whoever read it before', () => {
  const { hasChanged, learn } = changesIn({ 5: ['a'], 8: ['b'] });
  learn(undefined, 5);
  learn(5, 8);
  learn(8, 9);
  const known = (item: string) => [5, 7, 8, 9].map((since) => hasChanged(item, since));
  expect(known('a')).toEqual([true, true, false, false]);
  expect(known('b')).toEqual([true, true, true, false]);
  expect(known('c')).toEqual([false, false, false, false]);
});

test('what is not known is not known for whoever read before', () => {
  const { hasChanged, learn } = changesIn({ 5: ['a'], 9: ['b'] });
  learn(undefined, 5);
  learn(5, 8);
  learn(8, 9);
  learn(9, 12);
  expect([8, 9].map((since) => hasChanged('a', since))).toEqual([undefined, false]);
  expect([8, 9, 12].map((since) => hasChanged('b', since))).toEqual([undefined, true, false]);
});

test('so many items are remembered, and then none', () => {
  const names = Array.from({ length: 6_000 }, (_, at) => String(at));
  const { hasChanged, learn } = changesIn({ 1: names, 2: names.map((name) => `${name}b`) });
  learn(undefined, 1);
  learn(1, 2);
  expect(hasChanged('0', 1)).toBe(true);
  learn(2, 3);
  expect([hasChanged('0', 2), hasChanged('0b', 2), hasChanged('0b', 3)]).toEqual([undefined, undefined, false]);
});
