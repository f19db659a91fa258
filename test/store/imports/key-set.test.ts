import { expect, test } from 'vitest';
import { keySet } from '../../../src/store/imports/key-set.ts';

test('a key is new once, however many there are, and no other is taken for one', () => {
  const set = keySet();
  const count = 50_000;
  let known = 0;
  for (let at = 0; at < count; at++) if (!set.add(`car-${at}`)) known++;
  expect(known).toBe(0);
  for (let at = 0; at < count; at += 100) expect([set.has(`car-${at}`), set.add(`car-${at}`)]).toEqual([true, false]);
  const mistaken = Array.from({ length: count }, (_, at) => set.has(`coche-${at}`)).filter(Boolean);
  expect(mistaken.length).toBe(0);
});

test('a full set takes no more memory: each key seems to be in it', () => {
  const set = keySet(4_096);
  let taken = 0;
  for (let at = 0; at < 50_000; at++) if (set.add(`car-${at}`)) taken++;
  expect(taken).toBe(3_073);
  expect([set.has('car-1'), set.has('car-49999'), set.has('coche-1')]).toEqual([true, true, true]);
});
