/** Some of the attacks of `npm run soak`. */
import { expect, test } from 'vitest';
import { attackAsApi, attackAsClient } from './attacks.ts';

test('300 requests of a hostile client reach nothing else, and break nothing', async () => {
  const { legal, passed } = await attackAsClient(300, 59);
  expect([legal > 100, passed]).toEqual([true, legal]);
});

test('300 answers of a hostile API leak nothing, and break nothing', async () => {
  const { legal, passed } = await attackAsApi(300, 59);
  expect([legal > 100, passed]).toEqual([true, legal]);
});
