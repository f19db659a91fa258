/** Items of rows that are kept in memory: always what is stored, whoever wrote in between. */

import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ReadResult, Row } from '../../../../src/gateway/port/port.ts';
import { openStore } from '../../../../src/host/service/open-store.ts';
import type { ItemPlan } from '../../../../src/store/sql/lists.ts';
import { connect } from '../../../../src/store/sqlite/connection.ts';
import { RowCache } from '../../../../src/store/sqlite/reads.ts';
import type { Store } from '../../../../src/store/store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import {
  cars,
  cellOf,
  createCar,
  inPortions,
  queryOf,
  readList,
  revisionOf,
  update,
} from '../../../support/conformance/fixtures.ts';
import { openForTest } from '../../../support/database/database.ts';
import { getItem } from '../../../support/database/reads.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

/** Bytes: for all rows of these tests, for some of them, for one. */
const ROOMS = [1_000_000, 2_000, 1];
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

const open = (location: string, cacheBytes = 1_000_000) => openForTest(location, { cacheBytes });
const openFile = async (cacheBytes?: number) => {
  const file = join(temporaryFolder(), 'cars.db');
  return { file, one: await open(`sqlite:${file}`, cacheBytes), two: await open(`sqlite:${file}`, 0) };
};

/** Expects of items what the whole list has. */
const compare = async (store: Store): Promise<void> => {
  const { rows } = (await readList(store, cars, [])) ?? { rows: [] };
  const items = await Promise.all(KEYS.map((key) => getItem(store, cars, [key])));
  expect(items).toEqual(KEYS.map((key) => rows.find((row: Row) => row[1] === key)));
};

const changes = fc.record({
  brand: fc.constantFrom('Seat', 'seat', 'Citroën', 'Opel'),
  year: fc.integer({ min: 1990, max: 1994 }),
});
const kinds = fc.constantFrom('create', 'update', 'remove', 'read');
const step = fc.tuple(fc.boolean(), kinds, fc.constantFrom(...KEYS), changes);

test.each(ROOMS)('with %i bytes, whatever two processes write', async (room) => {
  const { one, two } = await openFile(room);
  // One database for all runs: what a run leaves is where the next one begins.
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      for (const [isOther, kind, key, sent] of steps) {
        const store = isOther ? two : one;
        if (kind === 'create') await createCar(store, key, sent);
        if (kind === 'update') await update(store, cars, [key], sent);
        if (kind === 'remove') await store.write({ kind, collection: cars.name, keys: [key] });
        if (kind === 'read') await compare(one);
      }
      await compare(one);
    }),
    { numRuns: 15 },
  );
});

test('after more changes than are looked up one by one', async () => {
  const { one, two } = await openFile();
  const keys = [...KEYS, ...Array.from({ length: 1_100 }, (_, at) => `car-${at}`)];
  await inPortions(keys.length, (at) => createCar(two, keys[at] ?? '', { year: 1990 }));
  await compare(one);
  await inPortions(keys.length, (at) => update(two, cars, [keys[at] ?? ''], { brand: 'Opel', year: 1991 }));
  await compare(one);
});

test.each([
  [`UPDATE "cars" SET "version" = 'new'`],
  [`UPDATE "cars" SET "version" = 'new' WHERE "identifier" = 'b'`],
  [`DELETE FROM "cars" WHERE "identifier" = 'b'`],
  ['VACUUM'],
])('after another program, which counts no changes: %s', async (sql) => {
  const { file, one } = await openFile();
  for (const key of KEYS) await createCar(one, key, { year: 1990 });
  await compare(one);
  const other = new DatabaseSync(file, { timeout: 5_000 });
  other.exec(sql);
  other.close();
  await compare(one);
});

test.each(['sqlite::memory:', ''])('of a closed database (%s) none is returned', async (location) => {
  const store = await open(location || `sqlite:${join(temporaryFolder(), 'cars.db')}`);
  await createCar(store, 'a');
  await compare(store);
  await store.close();
  await expect((async () => getItem(store, cars, ['a']))()).rejects.toThrow(
    expect.objectContaining({ code: 'unavailable' }),
  );
});

test('the database is read once for what stays as it is; a look for changes that fails forgets all, and fails no other read', async () => {
  const { file, two } = await openFile();
  const first = revisionOf(await createCar(two, 'a', { year: 1990 }));
  const reader = connect(file, { readOnly: true });
  onTestFinished(() => reader.close());
  let [reads, fails] = [0, false];
  const readRows = reader.rows.bind(reader);
  vi.spyOn(reader, 'rows').mockImplementation((query) => {
    if (fails) throw new Error('disk I/O error');
    return readRows(query);
  });
  const stored = (): ReadResult => {
    reads += 1;
    return two.read(plan) as ReadResult;
  };
  const plan = two.plan({ of: 'item', collection: cars, keys: ['a'], query: queryOf(cars, {}) }) as ItemPlan;
  const { read: readItem } = new RowCache(stored, { reader, catalogue, capacity: 1_000_000 });
  const revision = () => readItem(plan)?.rows[0]?.[0];
  expect([revision(), revision(), reads]).toEqual([first, first, 1]);
  const second = revisionOf(await update(two, cars, ['a'], { year: 1991 }));
  fails = true;
  expect(revision).toThrow('disk I/O error');
  expect([revision(), revision(), reads]).toEqual([second, second, 2]);
});

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
