import { expect, test } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { cars, createMany, openCars, queryOf } from '../../support/conformance/fixtures.ts';
import { snapshotConformance, storeConformance } from '../../support/conformance/store-conformance.ts';
import { preparedDatabase } from '../../support/database/database.ts';
import { getItem, summarize } from '../../support/database/reads.ts';
import type { WhenOver } from '../../support/process/folder.ts';

const openNew = async (whenOver?: WhenOver, pool?: number) =>
  openStore(await preparedDatabase(whenOver), catalogue, { pool });

storeConformance('on a server', openNew);
snapshotConformance('on a server', (whenOver) => openNew(whenOver, 4), 4);

test('a store closes while a long list is open', async () => {
  const store = await openNew();
  await createMany(store);
  const { chunks } = await openCars(store);
  await chunks.next();
  await store.close();
  expect(await chunks.return?.()).toMatchObject({ done: true });
});

test('a pool of one connection serves all that ask at once', async () => {
  const store = await openStore(await preparedDatabase(), catalogue, { pool: 1 });
  await createMany(store, 50);
  const asked = Array.from({ length: 200 }, async (_, at) =>
    at % 2 === 0 ? getItem(store, cars, [`car-${at % 50}`]) : summarize(store, cars, [], queryOf(cars, {})),
  );
  expect((await Promise.all(asked)).filter((answer) => answer === undefined)).toEqual([]);
  await store.close();
});
