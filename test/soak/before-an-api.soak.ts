/** `serve` of packages/vocabularies between a hostile client and a hostile API, 5,000 attacks of each. */
import { expect, test } from 'vitest';
import { attackAsApi, attackAsClient } from '../vocabularies/serve/attacks.ts';

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
