/** Lists that no index answers, of so many rows that they are read on a thread of their own. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import {
  cars,
  carsListed,
  cellOf,
  createCar,
  inPortions,
  keyOf,
  type ListRequest,
  openCars,
  queryOf,
  readList,
  remove,
  update,
} from '../../../support/conformance/fixtures.ts';
import { plainList } from '../../../support/conformance/lists/plain-lists.ts';
import type { CellRecord } from '../../../support/database/cells.ts';
import { type Listing, summarize } from '../../../support/database/reads.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

const CARS = 2_200;
const FUELS = ['Gasolina', 'diésel', 'DIESEL', 'híbrido', null];
const VERSIONS = ['Estate', 'éstate', 'ESTATE', 'zeta', 'Ñandú', null, 'alfa'];

const keyAt = (at: number): string => `car-${at}`;
const valuesAt = (at: number): CellRecord => ({
  brand: `Brand ${at % 7}`,
  year: at % 17 === 0 ? null : 1_900 + ((at * 31) % 90),
  doors: at % 5 === 0 ? null : at % 6,
  version: VERSIONS[at % VERSIONS.length] ?? null,
  fuel: FUELS[at % FUELS.length] ?? null,
});

const folder = temporaryFolder(afterAll);
const location = `sqlite:${join(folder, 'cars.db')}`;
const file = await openStore(location, catalogue);
afterAll(() => file.close());
await inPortions(CARS, (at) => createCar(file, keyAt(at), valuesAt(at)));
const { rows } = (await readList(file, cars, [])) ?? { rows: [] };

const diesel = { fuel: ['diesel'] };
const isDiesel = (at: number): boolean => [1, 2].includes(at % FUELS.length);
const places = Array.from({ length: CARS }, (_, at) => at);

/** Ascending where none is named. */
const orders = [{}, { order: 'desc' }] as const;
/** The last but one is where versions begin to be missing. */
const windows = [
  {},
  { size: 5 },
  { size: 700, page: 2 },
  { size: 20, page: 70 },
  { size: 7, page: 270 },
  { page: 151 },
] as const;
const choices: readonly (readonly [name: string, asked: ListRequest])[] = [
  ['everything', {}],
  ['a sort with an index', { sort: 'brand' }],
  ['a sort by key', { sort: 'identifier' }],
  ['a sort without an index', { sort: 'version' }],
  ['a filter with an index', { filters: { brand: ['BRAND 3'] } }],
  ['a filter with an index, and a sort', { filters: { year: [1950] }, sort: 'doors' }],
  ['a filter without an index', { filters: diesel }],
  ['a filter by a value that no car may have', { filters: { doors: [99] }, sort: 'version' }],
];

describe.each(choices)('%s', (_, asked) => {
  test.each(orders)('is what an array would be, %o', async (order) => {
    const expected = plainList(cars, rows, { ...asked, ...order }).map(keyOf);
    for (const window of windows) {
      const { size = 20, page = 1 } = window as ListRequest;
      const keys = window === windows[0] ? expected : expected.slice((page - 1) * size, page * size);
      const found = await readList(file, cars, [], { ...asked, ...order, ...window });
      expect([window, found?.total, found?.rows.map(keyOf)]).toEqual([window, expected.length, keys]);
    }
    const query = queryOf(cars, { ...asked, ...order });
    expect((await summarize(file, cars, [], query))?.total).toBe(expected.length);
  });
});

test('a hundred pages at once are all read', async () => {
  const expected = places.filter(isDiesel).map(keyAt);
  const pages = await Promise.all(
    places.slice(1, 101).map((page) => carsListed(file, { filters: diesel, size: 5, page })),
  );
  expect(pages.flat()).toEqual(expected.slice(0, 500));
});

/** Its store is its own, because its cars change. */
const openCopy = (): Promise<Store> => {
  const copy = join(mkdtempSync(join(folder, 'copy-')), 'cars.db');
  const database = new DatabaseSync(join(folder, 'cars.db'), { readOnly: true });
  database.prepare('VACUUM INTO ?').run(copy);
  database.close();
  return openStore(`sqlite:${copy}`, catalogue);
};

test('a long list comes in chunks from one snapshot while writes go on', async () => {
  const store = await openCopy();
  const listing = await openCars(store, { sort: 'version' });
  const read = [await listing.chunks.next()];
  for (let at = 0; !read.at(-1)?.done; at++) {
    await Promise.all([
      createCar(store, `new-${at}`, { version: 'zzz' }),
      remove(store, cars, [keyAt(at)]),
      update(store, cars, [keyAt(1_000 + at)], { version: 'zzzz' }),
    ]);
    read.push(await listing.chunks.next());
  }
  const chunks = read.flatMap(({ done, value }) => (done ? [] : [value]));
  expect(chunks.length).toBeGreaterThan(2);
  expect(chunks.flat().map(keyOf)).toEqual(plainList(cars, rows, { sort: 'version' }).map(keyOf));
  expect([listing.long, listing.total]).toEqual([true, CARS]);
  const changed = await carsListed(store, { sort: 'version' });
  expect([changed.includes('new-0'), changed.includes(keyAt(0))]).toEqual([true, false]);
  await store.close();
});

test('what was committed is read on the thread at once', async () => {
  const store = await openCopy();
  for (const at of places.slice(0, 100)) {
    const fuel = `fuel ${at}`;
    await update(store, cars, [keyAt(at)], { fuel });
    const found = await readList(store, cars, [], { filters: { fuel: [fuel] } });
    expect(found?.rows.map((row) => [keyOf(row), cellOf(cars, row, 'fuel')])).toEqual([[keyAt(at), fuel]]);
    const summary = await summarize(store, cars, [], queryOf(cars, { filters: { fuel: [fuel] } }));
    expect(summary).toEqual({ total: 1, change: found?.change });
  }
  await store.close();
});

test('closing ends what is being read with the problem "unavailable"', async () => {
  const store = await openCopy();
  const unavailable = { code: 'unavailable' };
  const begun = await openCars(store, { sort: 'version' });
  await begun.chunks.next();
  const waiting = places.slice(0, 20).map(() => carsListed(store, { filters: diesel, size: 5 }));
  const ends = Promise.all(waiting.map((each) => expect(each).rejects.toMatchObject(unavailable)));
  await store.close();
  await ends;
  await expect(async () => begun.chunks.next()).rejects.toMatchObject(unavailable);
  expect(await begun.chunks.return?.()).toMatchObject({ done: true });
  await expect(carsListed(store, { filters: diesel })).rejects.toMatchObject(unavailable);
  const summary = async () => summarize(store, cars, [], queryOf(cars, { filters: diesel }));
  await expect(summary()).rejects.toMatchObject(unavailable);
});

/** Long lists at one time. */
const STREAMS = 32;
const endAll = async (lists: readonly Listing[]): Promise<void> => {
  await Promise.all(lists.map(({ chunks }) => chunks.return?.()));
};

describe('many long lists', () => {
  test('that nobody reads on leave pages, totals and lists of one chunk to others', async () => {
    const opened = await Promise.all(Array.from({ length: STREAMS }, () => openCars(file, { sort: 'version' })));
    for (const { chunks } of opened) await chunks.next();
    const expected = places.filter(isDiesel).map(keyAt);
    expect(await carsListed(file, { filters: diesel, size: 5 })).toEqual(expected.slice(0, 5));
    expect(await carsListed(file, { filters: diesel, size: 500 })).toEqual(expected.slice(0, 500));
    expect(await carsListed(file, { size: 5 })).toEqual(places.slice(0, 5).map(keyAt));
    expect(await carsListed(file, { filters: { year: [1950] } })).not.toHaveLength(0);
    expect(await summarize(file, cars, [], queryOf(cars, { filters: diesel }))).toMatchObject({
      total: expected.length,
    });
    await endAll(opened);
  });

  test('keep no page waiting: it is here before half of them have begun', async () => {
    await carsListed(file, { filters: diesel, size: 5 });
    const done: string[] = [];
    const lists = Array.from({ length: STREAMS }, async () => {
      const list = await openCars(file, { sort: 'version' });
      done.push('list');
      return list;
    });
    const page = carsListed(file, { filters: diesel, size: 5 }).then(() => done.push('page'));
    const opened = await Promise.all(lists);
    await page;
    expect(done.indexOf('page')).toBeLessThan(STREAMS / 2);
    await endAll(opened);
  });

  test('of one client leave half of the places to others', async () => {
    const store = await openStore(location, catalogue, { clientShare: 0.5 });
    const { signal } = new AbortController();
    const [greedy, other] = ['192.0.2.1', '192.0.2.2'].map((client) => ({ client, signal }));
    const opened: Listing[] = [];
    for (let at = 0; at < STREAMS / 2; at++)
      opened.push(await openCars(store, at % 2 ? {} : { sort: 'version' }, greedy));
    const refused = { reason: 'client' };
    for (const asked of [{}, { sort: 'version' }]) {
      await expect(openCars(store, asked, greedy)).rejects.toMatchObject(refused);
      opened.push(await openCars(store, asked, other));
    }
    expect(await openCars(store, { size: 5 }, greedy)).toMatchObject({ long: false });
    await opened[0]?.chunks.return?.();
    opened.push(await openCars(store, {}, greedy));
    await endAll(opened);
    await store.close();
  });
});

test('a client that has gone away gets no list, and leaves no place taken', async () => {
  const gone = { signal: AbortSignal.abort(), client: undefined };
  const asked: readonly ListRequest[] = [{}, { sort: 'version' }, { filters: diesel, size: 5 }];
  for (let at = 0; at < STREAMS + 1; at++) {
    for (const each of asked) await expect(openCars(file, each, gone)).rejects.toMatchObject({ code: 'unavailable' });
  }
  const leaving = asked.flatMap((each) =>
    Array.from({ length: 20 }, () => {
      const client = new AbortController();
      const list = openCars(file, each, { signal: client.signal, client: undefined }).then(({ chunks }) =>
        chunks.return?.(),
      );
      client.abort();
      return list;
    }),
  );
  await Promise.allSettled(leaving);
  await endAll(await Promise.all(Array.from({ length: STREAMS }, () => openCars(file, { sort: 'version' }))));
});
