import { expect, test } from 'vitest';
import { crashLimit } from '../../../src/host/workers/pool.ts';

const cases: readonly (readonly [what: string, seconds: readonly number[], isTooMany: readonly boolean[]])[] = [
  ['three within a minute', [0, 30, 59], [false, false, true]],
  ['three in more than a minute', [0, 30, 61], [false, false, false]],
  ['three within a minute, long after others', [0, 100, 130, 159], [false, false, false, true]],
];

test.each(cases)('%s', (_, seconds, isTooMany) => {
  let now = 0;
  const crashed = crashLimit(3, () => now);
  const found = seconds.map((each) => {
    now = each * 1_000;
    return crashed();
  });
  expect(found).toEqual(isTooMany);
});
