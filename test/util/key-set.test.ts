import { expect, test } from 'vitest';
import { KeySet } from '../../src/util/key-set.ts';

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
