import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { cars, cellOf, createCar } from '../../../support/conformance/fixtures.ts';
import { getItem } from '../../../support/database/reads.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

/** Parts of a turn of the event loop that come before it looks for events from outside, or after. */
const moments: readonly (readonly [what: string, come: () => Promise<unknown>])[] = [
  ['a timer', () => setTimeout(0)],
  ['an immediate', () => setImmediate()],
];

test.each(moments)('a read in %s does not make the next event from outside show what is old', async (_, come) => {
  const file = join(temporaryFolder(), 'cars.db');
  const store = await openStore(`sqlite:${file}`, catalogue);
  const other = new DatabaseSync(file, { timeout: 0 });
  await createCar(store, 'a', { version: 'old' });
  const { port1, port2 } = new MessageChannel();
  const told = once(port2, 'message');
  await come();
  await getItem(store, cars, ['a']);
  other.exec(`UPDATE "cars" SET "version" = 'new'`);
  port1.postMessage('written');
  await told;
  expect(cellOf(cars, await getItem(store, cars, ['a']), 'version')).toBe('new');
  port1.close();
  other.close();
  await store.close();
});
