import { expect, test } from 'vitest';
import type { Cell } from '../../../src/gateway/model/field.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { AHEAD, cars, carsListed, createCar, createMany, queryOf } from '../../support/conformance/fixtures.ts';
import { snapshotConformance, storeConformance } from '../../support/conformance/store-conformance.ts';
import { toCells } from '../../support/database/cells.ts';
import { preparedDatabase } from '../../support/database/database.ts';
import { query } from '../../support/database/postgres.ts';
import { getItem, openList, summarize } from '../../support/database/reads.ts';
import type { WhenOver } from '../../support/process/folder.ts';

const openNew = async (whenOver?: WhenOver, pool?: number) =>
  openStore(await preparedDatabase(whenOver), catalogue, { pool });

storeConformance('on a server', openNew);
snapshotConformance('on a server', (whenOver) => openNew(whenOver, 4), 4);

test('a write that cannot be sent leaves its neighbours in the same transaction alone', async () => {
  const url = await preparedDatabase();
  const store = await openStore(url, catalogue);
  await query(url, `UPDATE "_change" SET "number" = ${AHEAD}`);
  const noCell = Symbol('no cell') as unknown as Cell;
  const bad = { brand: 'Seat', model: 'Ibiza', identifier: 'bad', year: noCell };
  const settled = await Promise.allSettled([
    createCar(store, 'a'),
    store.write({ kind: 'create', collection: 'cars', parents: [], cells: toCells(cars, bad) }),
    createCar(store, 'b'),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await carsListed(store)).toEqual(['a', 'b']);
  // Nothing of the transaction that failed was committed, its books neither.
  expect(await summarize(store, cars, [], queryOf(cars, {}))).toEqual({ total: 2, change: AHEAD + 2 });
  await store.close();
});

test('a store closes while a long list is open', async () => {
  const store = await openNew();
  await createMany(store);
  const listing = await openList(store, cars, [], queryOf(cars, {}));
  await listing?.chunks.next();
  await store.close();
  expect(await listing?.chunks.return?.()).toMatchObject({ done: true });
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
