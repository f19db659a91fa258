/** Instances of an older version go on writing beside newer ones, and end. */
import { expect, test } from 'vitest';
import { verify } from '../../../src/tools/verify/verify.ts';
import { givenOn } from '../../support/commands/given.ts';
import { emptyDatabase } from '../../support/database/database.ts';
import { firstVersion } from '../../support/process/earlier.ts';
import { serve } from '../../support/process/service.ts';
import { onNewConnection as send } from '../../support/process/workers.ts';

test('once the last old one is gone, what it did not count is counted, and verify finds nothing wrong', async () => {
  const DATABASE_URL = await emptyDatabase();
  const old = await serve({ env: { DATABASE_URL }, args: firstVersion() });
  await send(old, 'POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza' });
  const successor = await serve({ env: { DATABASE_URL } });
  await send(successor, 'POST', '/api/cars', { identifier: 'n', brand: 'seat', model: 'Ibiza', year: 2020 });
  await send(old, 'POST', '/api/cars', { identifier: 'b', brand: 'SEAT', model: 'León', year: 2019 });
  await send(old, 'POST', '/api/cars/b/oils', { type: '5W30', quantity: 4 });
  await send(old, 'PUT', '/api/cars/n', { model: 'IBIZA', year: 2021 });
  await send(old, 'DELETE', '/api/cars/a');
  expect(await old.end('SIGTERM')).toBe(0);
  const found = async (): Promise<readonly string[]> => {
    const given = givenOn(DATABASE_URL);
    await verify(given);
    return given.printed.filter((line) => !line.startsWith('verify-no-amcheck'));
  };
  expect(await found()).not.toEqual([]);
  await expect.poll(found, { timeout: 80_000, interval: 1_000 }).toEqual([expect.stringMatching(/^verify-sound/)]);
});
