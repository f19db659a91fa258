/** Some planted faults of each example, and that nothing is said where there is none; all of them are in test/soak/parity. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../packages/parity/src/run.ts';
import { type Example, openProducts, openTasks } from '../support/parity/examples.ts';
import { productFaults, taskFaults } from '../support/parity/faults.ts';

const TIME = 60_000;

describe.each([
  ['around-hono', openTasks, taskFaults],
  ['before-an-api', openProducts, productFaults],
] as const)('%s', (_, openExample, planted) => {
  let example: Example;
  beforeAll(async () => {
    example = await openExample();
  });
  afterAll(() => example.close());

  test.each(planted.filter((_, at) => at % 3 === 0))(
    '$name is found',
    async ({ foundAt, writes = false, ...fault }) => {
      const { findings } = await run(await example.open(fault), { seed: 7, cases: 120, time: TIME, writes });
      expect(findings.map(({ cause }) => cause)).toContainEqual(expect.stringMatching(foundAt));
    },
  );

  test.each([1, 2, 3])('seed %d is no false alarm', async (seed) => {
    const { findings, checked } = await run(await example.open(), { seed, cases: 100, time: TIME, writes: true });
    expect(findings.map(({ cause, mismatch }) => [cause, mismatch.differences])).toEqual([]);
    expect(checked.length).toBeGreaterThan(100);
  });
});
