import { expect, test } from 'vitest';
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
