/** Pages of rows that are kept as they are written, and items of kept rows: always what is stored, whoever wrote in between. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ListFormat, Row } from '../../../../src/gateway/port/port.ts';
import { openStore } from '../../../../src/host/service/open-store.ts';
import type { ListPlan } from '../../../../src/store/sql/lists/read-plan.ts';
import type { Connection } from '../../../../src/store/sqlite/connection/connection.ts';
import { keptOf } from '../../../../src/store/sqlite/reads/kept.ts';
import type { Store } from '../../../../src/store/store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { HOOK } from '../../../support/conformance/client-keys.ts';
import {
  cars,
  createCar,
  inPortions,
  type ListRequest,
  queryOf,
  update,
} from '../../../support/conformance/fixtures.ts';
import { getItem } from '../../../support/database/reads.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

/** Bytes: for all rows of these tests, for some of them, for none. */
const ROOMS = [1_000_000, 2_000, 1];
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

const open = async (location: string, keptBytes = 1_000_000) => {
  let kept = 0;
  const store = await openStore(location, catalogue, {
    keptBytes,
    onKept: (isKept) => {
      if (isKept) kept += 1;
    },
  });
  onTestFinished(() => store.close());
  return { store, kept: () => kept };
};
const openFile = async (keptBytes?: number) => {
  const file = join(temporaryFolder(), 'cars.db');
  const [one, two] = [await open(`sqlite:${file}`, keptBytes), await open(`sqlite:${file}`, 0)];
  return { file, one: one.store, two: two.store };
};

const PAGES: readonly ListRequest[] = [
  { size: 5 },
  { size: 5, page: 2 },
  { size: 7, sort: 'brand' },
  { size: 7, sort: 'year', order: 'desc' },
  { size: 6, filters: { brand: ['SEAT'] } },
];

const format: ListFormat = {
  start: '[',
  row: ([revision, ...cells]) => JSON.stringify([revision, ...cells.slice(0, cars.fields.length)]),
  separator: ',',
  end: ']',
};

const read = async (store: Store, asked: ListRequest, as?: ListFormat) => {
  const query = queryOf(cars, asked);
  const found = await store.read(store.plan({ of: 'list', collection: cars, keys: [], query, format: as }));
  if (!found) throw new TypeError('no list');
  const { total, change, rows, written } = found;
  return { total, change, rows: written ? JSON.parse(Buffer.from(written).toString()) : rows };
};

/** Expects of pages that may be kept what is read without a format, of which nothing is; and of items what the whole list has. */
const compare = async (store: Store): Promise<void> => {
  for (const asked of PAGES) expect(await read(store, asked, format)).toEqual(await read(store, asked));
  const { rows } = await read(store, {});
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

test('stay while another process delivers to hooks', async () => {
  const file = join(temporaryFolder(), 'cars.db');
  const [{ store, kept }, { store: other }] = [await open(`sqlite:${file}`), await open(`sqlite:${file}`)];
  for (const key of KEYS) await createCar(store, key, { year: 1990 });
  await compare(store);
  await other.hooks.add(HOOK);
  await other.hooks.take(HOOK.id, 'other', 1, 2);
  await other.hooks.save(HOOK.id, HOOK.state, { ...HOOK.state, failures: 1 });
  // What is read in one turn of the event loop shares a snapshot.
  await setImmediate();
  const before = kept();
  await compare(store);
  expect(kept()).toBe(before + PAGES.length);
});

test('in memory, where the same connection writes', async () => {
  const { store, kept } = await open('sqlite::memory:');
  for (const key of KEYS) await createCar(store, key, { year: 1990 });
  await compare(store);
  const before = kept();
  await compare(store);
  expect(kept()).toBe(before + PAGES.length);
  await update(store, cars, ['b'], { year: 1991 });
  await compare(store);
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

test('each format has rows of its own', async () => {
  const { store } = await open('sqlite::memory:');
  for (const key of KEYS) await createCar(store, key);
  const other: ListFormat = { ...format, row: ([, key]) => JSON.stringify({ key }) };
  for (let round = 0; round < 3; round++) {
    await compare(store);
    expect((await read(store, { size: 2 }, other)).rows).toEqual([{ key: 'a' }, { key: 'b' }]);
  }
});

test.each(['sqlite::memory:', ''])('of a closed database (%s) none is returned', async (location) => {
  const { store } = await open(location || `sqlite:${join(temporaryFolder(), 'cars.db')}`);
  await createCar(store, 'a');
  await compare(store);
  const plan = store.plan({ of: 'list', collection: cars, keys: [], query: queryOf(cars, { size: 5 }), format });
  await store.close();
  expect(() => store.read(plan)).toThrow(expect.objectContaining({ code: 'unavailable' }));
});

describe('what may be kept', () => {
  const all: readonly (readonly [what: string, asked: ListRequest, isKept: boolean])[] = [
    ['a page', { size: 5 }, true],
    ['a page by an index', { size: 5, sort: 'brand' }, true],
    ['a whole list', {}, false],
    ['a page of more than a chunk', { size: 501 }, false],
    ['a page that reads every row', { size: 5, sort: 'doors' }, false],
    ['a page of groups', { size: 5, group: 'brand' }, false],
    ['a page with nested items', { size: 5, withOils: true }, false],
    ['a page of what is searched', { size: 5, search: 'seat' }, false],
  ];
  test.each(all)('%s', async (_, asked, isKept) => {
    const { store } = await open('sqlite::memory:');
    const plan = store.plan({ of: 'list', collection: cars, keys: [], query: queryOf(cars, asked), format });
    expect((plan as ListPlan).keptAs !== undefined).toBe(isKept);
  });
});

test('a look at the changes that failed forgets all, and fails no other read', () => {
  let version = 1;
  let fails = false;
  const changed = (): number[][] => {
    if (fails) throw new Error('disk I/O error');
    return [[7]];
  };
  const connection = { row: () => [version], rows: changed } as unknown as Connection;
  const none = { sql: '', values: [] };
  let reads = 0;
  const kept = keptOf<number, string>(
    { reader: connection, capacity: 1_000_000, version: 'version', snapshot: () => ++reads },
    () => none,
    () => 1,
  );
  kept.refresh();
  kept.keep(7, 'old');
  version = 2;
  fails = true;
  expect(kept.refresh).toThrow('disk I/O error');
  kept.refresh();
  expect(kept.find(7)).toBeUndefined();
});
