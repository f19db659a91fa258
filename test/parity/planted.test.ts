/** Some planted faults of each service, and that nothing is said if there is none; all of them are in test/soak/parity. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../packages/parity/src/run.ts';
import { type Example, openProducts, openTasks } from '../support/parity/examples.ts';
import { faults, productFaults, taskFaults } from '../support/parity/faults.ts';
import { openGarage } from '../support/parity/garage.ts';

const TIME = 60_000;

/** What few requests show, in answers, documents and dictionaries. */
const catalogueFaults = faults.filter(({ name }) =>
  [
    'a word of the other language',
    'an untranslated link',
    'one error only',
    'another status',
    'an operation without its identifier',
    'a wrong label',
  ].includes(name),
);
const third = <T>(all: readonly T[]): readonly T[] => all.filter((_, at) => at % 3 === 0);

describe.each([
  ['catalogue', openGarage, catalogueFaults, []],
  ['around-hono', openTasks, third(taskFaults), [1, 2, 3]],
  ['before-an-api', openProducts, third(productFaults), [1, 2, 3]],
] as const)('%s', (_, openExample, planted, seeds) => {
  let example: Example;
  beforeAll(async () => {
    example = await openExample();
  });
  afterAll(() => example.close());

  test.each(planted)('$name is found', async ({ foundAt, writes = false, ...fault }) => {
    const { findings, documents } = await run(await example.open(fault), { seed: 7, cases: 60, time: TIME, writes });
    const told = [...findings.map(({ cause }) => cause), ...documents];
    expect(told).toContainEqual(expect.stringMatching(foundAt));
  });

  test.each(seeds)('seed %d is no false alarm', async (seed) => {
    const { findings, checked } = await run(await example.open(), { seed, cases: 60, time: TIME, writes: true });
    expect(findings.map(({ cause, mismatch }) => [cause, mismatch.differences])).toEqual([]);
    expect(checked.length).toBeGreaterThan(60);
  });
});
