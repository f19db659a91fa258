/** `serve` of packages/vocabularies: 5,000 attacks of a hostile client and of a hostile API each, and 10,000 requests before each of some APIs. */
import { expect, test } from 'vitest';
import { attackAsApi, attackAsClient } from '../vocabularies/serve/attacks.ts';
import { apis, makeRoundTrips } from '../vocabularies/serve/round-trips.ts';

test.each([1, 2, 3, 4, 5])(
  '1,000 requests of a hostile client reach nothing else, and break nothing: seed %i',
  async (seed) => {
    const { legal, passed } = await attackAsClient(1000, seed);
    console.log(`seed ${seed}: ${legal} of 1000 are legal, ${passed} pass`);
    expect([legal > 300, passed]).toEqual([true, legal]);
  },
);

test.each([1, 2, 3, 4, 5])('1,000 answers of a hostile API leak nothing, and break nothing: seed %i', async (seed) => {
  const { legal, passed } = await attackAsApi(1000, seed);
  console.log(`seed ${seed}: ${legal} of 2000 are legal, ${passed} pass`);
  expect([legal > 300, passed]).toEqual([true, legal]);
});

test.each(apis)(
  'before a mock of %s, 10,000 requests and answers come back as they were',
  async (_, document, table) => {
    await makeRoundTrips(document, table, 10_000, 1);
  },
);
