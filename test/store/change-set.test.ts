import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChangeSet, changeAt } from '../../src/store/change-set.ts';

const NOON = Date.UTC(2026, 5, 1, 12);

test.each([
  ['the clock, where it is ahead of the last', 41, NOON, changeAt(NOON)],
  ['the last, where the clock was set back', changeAt(NOON), NOON - 60_000, changeAt(NOON) + 1],
  ['the last, where as many writes came as the clock counts', changeAt(NOON), NOON, changeAt(NOON) + 1],
  ['the last, before there were clocks in numbers', 41, 0, 42],
])('a change number follows %s', (_, last, now, expected) => {
  expect(new ChangeSet(last, now).nextChange()).toBe(expected);
});

test('the numbers of a transaction follow each other, and the last of them is told', () => {
  const changeSet = new ChangeSet(0, NOON);
  expect(changeSet.lastChange()).toBeUndefined();
  expect([changeSet.nextChange(), changeSet.nextChange()]).toEqual([changeAt(NOON), changeAt(NOON) + 1]);
  expect(changeSet.lastChange()).toBe(changeAt(NOON) + 1);
});

test.each([
  ['after two seconds and more', changeAt(NOON - 2_001), undefined, changeAt(NOON) - 1],
  ['within two seconds', changeAt(NOON - 1_999), undefined, undefined],
  ['of any length, for whoever writes first', changeAt(NOON) - 2, 0, changeAt(NOON) - 1],
  ['of no number', changeAt(NOON) - 1, 0, undefined],
  ['before a clock that was set back', changeAt(NOON + 9_000), 0, undefined],
])('a pause is kept %s', (_, last, quiet, expected) => {
  const changeSet = new ChangeSet(last, NOON, quiet);
  expect(changeSet.gapMarker()).toBeUndefined();
  changeSet.nextChange();
  expect(changeSet.gapMarker()).toBe(expected);
});

test('numbers are exact for a century and more', () => {
  expect(changeAt(Date.UTC(2126, 0))).toBeLessThan(Number.MAX_SAFE_INTEGER / 10);
  expect(changeAt(Date.UTC(3139, 0))).toBeLessThan(Number.MAX_SAFE_INTEGER);
});

/** Transactions, each with the time at which it began and how many numbers it took; clocks go back, too. */
const transactions = fc.array(fc.tuple(fc.integer({ min: -50, max: 5_000 }), fc.integer({ min: 1, max: 600 })), {
  maxLength: 20,
});

const numbersOf = (first: number, from: number, all: readonly (readonly [number, number])[]): readonly number[] => {
  const numbers: number[] = [];
  let [last, now] = [first, from];
  for (const [later, count] of all) {
    now += later;
    const changeSet = new ChangeSet(last, now);
    for (let at = 0; at < count; at++) numbers.push(changeSet.nextChange());
    last = changeSet.lastChange() ?? last;
  }
  return numbers;
};

test('numbers only grow, whatever the clock does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: changeAt(NOON) }), transactions, (first, all) => {
      const numbers = [first, ...numbersOf(first, NOON, all)];
      expect(numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? Infinity))).toBe(true);
    }),
  );
});

test('a copy that goes on after the clock has passed what was lost gives none of its numbers again', () => {
  const kept = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(kept, transactions, transactions, (first, lost, after) => {
      const numbers = numbersOf(first, NOON, lost);
      const end = Math.max(NOON, ...numbers.map((number) => NOON + (number - changeAt(NOON)) / 256));
      const again = numbersOf(first, Math.ceil(end) + 51 * 20, after);
      expect(again.filter((number) => numbers.includes(number))).toEqual([]);
    }),
    { numRuns: 20 },
  );
});
