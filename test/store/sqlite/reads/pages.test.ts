/** Pages of rows that are kept as they were rendered: always what a list reads, whoever wrote in between. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../../../src/catalogue.ts';
import { openStore } from '../../../../src/service/open-store.ts';
import type { Connection } from '../../../../src/store/sqlite/connection/connection.ts';
import { renderedRows } from '../../../../src/store/sqlite/reads/rendered-rows.ts';
import { cars, createCar, type ListRequest, queryOf } from '../../../support/conformance/fixtures.ts';
import { comparing, expectCurrentPages, format, KEYS, take } from '../../../support/conformance/lists/pages.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

/** Bytes: for all rows of these tests, for some of them, for none. */
const ROOMS = [1_000_000, 2_000, 1];

const open = async (location: string) => {
  const store = await openStore(location, catalogue);
  onTestFinished(() => store.close());
  return store;
};
const openFile = async () => {
  const file = join(temporaryFolder(), 'cars.db');
  const [one, two] = [await open(`sqlite:${file}`), await open(`sqlite:${file}`)];
  return { file, one, two };
};

test.each(ROOMS)('with %i bytes, whatever two processes write', async (room) => {
  const { one, two } = await openFile();
  await expectCurrentPages(one, two, room, 15);
});

test('in memory', async () => {
  const store = await open('sqlite::memory:');
  const compare = comparing(store, 1_000_000);
  for (const name of KEYS) await createCar(store, name, { brand: 'Seat', year: 1990 });
  await compare();
  await take(store, 'update', 'b', { brand: 'Opel', year: 1991 });
  await compare();
});

test('after more changes than are looked up one by one', async () => {
  const { one, two } = await openFile();
  const compare = comparing(one, 1_000_000);
  const names = Array.from({ length: 1_100 }, (_, at) => `car-${at}`);
  await Promise.all(names.map((name) => createCar(two, name, { brand: 'Seat', year: 1990 })));
  await compare();
  await Promise.all(names.map((name) => take(two, 'update', name, { brand: 'Opel', year: 1991 })));
  await compare();
});

test.each([
  [`UPDATE "cars" SET "version" = 'new'`],
  [`UPDATE "cars" SET "version" = 'new' WHERE "identifier" = 'b'`],
  ['DELETE FROM "cars" WHERE "identifier" = \'b\''],
  ['VACUUM'],
])('after another program: %s', async (sql) => {
  const { file, one } = await openFile();
  const compare = comparing(one, 1_000_000);
  for (const name of KEYS) await createCar(one, name, { brand: 'Seat', year: 1990 });
  await compare();
  const other = new DatabaseSync(file, { timeout: 5_000 });
  other.exec(sql);
  other.close();
  await compare();
});

test('a page has memory of its own, and keeps no block that it was written into', async () => {
  const store = await open('sqlite::memory:');
  const read = store.pages?.(cars, format, 1_000_000);
  for (const name of KEYS) await createCar(store, name, { brand: 'Seat', year: 1990 });
  for (let round = 0; round < 2; round++) {
    const page = await read?.([], queryOf(cars, { size: 8 }));
    const content = page && 'content' in page ? page.content : undefined;
    expect(content?.length).toBeGreaterThan(8);
    expect(content?.buffer.byteLength).toBe(content?.length);
  }
});

test.each(['sqlite::memory:', ''])('a closed database (%s) is unavailable', async (location) => {
  const store = await openStore(location || `sqlite:${join(temporaryFolder(), 'cars.db')}`, catalogue);
  const read = store.pages?.(cars, format, 1_000_000);
  await store.close();
  expect(() => read?.([], queryOf(cars, { size: 5 }))).toThrow(expect.objectContaining({ code: 'unavailable' }));
});

test('a look that failed is done again', () => {
  let version = 1;
  let fails = false;
  const changed = (): never[][] | number[][] => {
    if (fails) throw new Error('disk I/O error');
    return [[7]];
  };
  const connection = { row: () => [version], rows: changed } as unknown as Connection;
  const kept = renderedRows(connection, cars, format, 1_000_000, 'version');
  kept.revalidate();
  kept.add(7, [7, 'old']);
  version = 2;
  fails = true;
  expect(kept.revalidate).toThrow('disk I/O error');
  fails = false;
  kept.revalidate();
  expect(kept.find(7)).toBeUndefined();
});

test('lists that are long, nested or not quick are left to `list`', async () => {
  const store = await open('sqlite::memory:');
  const read = store.pages?.(cars, format, 1_000_000);
  const others: readonly ListRequest[] = [
    {},
    { size: 501 },
    { size: 5, sort: 'doors' },
    { size: 5, filters: { doors: [3] } },
  ];
  for (const asked of others) expect(read?.([], queryOf(cars, asked))).toBeUndefined();
});
