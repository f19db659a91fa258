import { expect, test } from 'vitest';
import { joinTruncated, truncate } from '../../src/locale/truncate.ts';

const words = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `palabra${at}`);

test.each([
  [[], ''],
  [['marca'], 'marca'],
  [['marca', 'modelo', 'año'], 'marca, modelo, año'],
  [['x'.repeat(200)], 'x'.repeat(200)],
] as const)('%j is listed as it is', (known, list) => {
  expect(joinTruncated(known)).toBe(list);
});

test.each([21, 30, 500])('of %i words a sentence has whole ones, and says that there are more', (count) => {
  const list = joinTruncated(words(count));
  expect(list.length).toBeLessThanOrEqual(200);
  expect(truncate(list)).toBe(list);
  const named = list.split(', ');
  expect(named.at(-1)).toBe('…');
  expect(named.length).toBeGreaterThan(15);
  expect(words(count)).toEqual(expect.arrayContaining(named.slice(0, -1)));
});
