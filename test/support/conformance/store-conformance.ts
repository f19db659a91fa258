import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../../src/gateway/model/query.ts';
import type { Items } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { getItem, openList, summarize } from '../database/reads.ts';
import type { WhenOver } from '../process/folder.ts';
import { anyWrites } from './any-writes.ts';
import { clientHooks, clientKeys } from './client-keys.ts';
import { cars, carsListed, createCar, createOil, oils, queryOf, remove } from './fixtures.ts';
import { expiredKeys, forgetting } from './forgetting.ts';
import { anyImport } from './imports/any-import.ts';
import { imports } from './imports/imports.ts';
import { anyList } from './lists/any-list.ts';
import { changedGroups } from './lists/groups.ts';
import { changedLists } from './lists/lists.ts';
import { changedLongLists, longLists, openLists } from './lists/long-lists.ts';
import { searchLists } from './lists/search.ts';
import { malformedIntents } from './malformed.ts';
import { nested, nestedChunks } from './nested.ts';
import { outcomes } from './writes.ts';

/** Opens an empty database, and says how what it leaves behind is removed. */
export type OpenEmpty = (whenOver: WhenOver) => Promise<Store>;

const lifetime = (store: () => Store): void => {
  describe('lifetime', () => {
    test('is ready while it is open', async () => {
      expect(await store().ready()).toBe(true);
      await store().close();
      expect(await store().ready()).toBe(false);
    });

    test('tells how many rows it has, whatever they are nested in, and how large it is', async () => {
      const rows = async () => [await store().countRows(cars), await store().countRows(oils)];
      expect(await rows()).toEqual([0, 0]);
      for (const car of ['a', 'b']) await createCar(store(), car);
      for (const [at, car] of ['a', 'b', 'b'].entries()) await createOil(store(), car, `oil-${at}`);
      expect(await rows()).toEqual([2, 3]);
      await remove(store(), cars, ['b']);
      expect(await rows()).toEqual([1, 1]);
      expect((await store().size()).bytes).toBeGreaterThan(4_096);
    });

    test('finishes what was begun before it closes', async () => {
      const writes = Array.from({ length: 300 }, (_, at) => createCar(store(), `car-${at}`));
      await store().close();
      expect(new Set((await Promise.all(writes)).map(({ kind }) => kind))).toEqual(new Set(['written']));
    });

    test('answers with the problem "unavailable" once it is closed, if twice', async () => {
      await store().close();
      await store().close();
      const unavailable = { code: 'unavailable' };
      await expect(async () => getItem(store(), cars, ['a'])).rejects.toMatchObject(unavailable);
      await expect(async () => openList(store(), cars, [], queryOf(cars, {}))).rejects.toMatchObject(unavailable);
      await expect(async () => summarize(store(), cars, [], queryOf(cars, {}))).rejects.toMatchObject(unavailable);
      await expect(createCar(store(), 'a')).rejects.toMatchObject(unavailable);
    });
  });
};

type Part = (store: () => Store) => void;

/** As if a parameter had been added that this store knows nothing of. */
const unknownMembers: Part = (store) => {
  test.each(['item', 'list'] as const)('refuses a query of a %s with a member that it does not know', (of) => {
    const read = (more: object) =>
      store().plan({ of, collection: cars, keys: of === 'item' ? ['a'] : [], query: { ...EVERYTHING, ...more } });
    expect(() => read({ sample: 5 })).toThrow('this store does not know "sample" of a query');
    expect(read({ sample: undefined, format: 'csv', page: 2 })).toMatchObject({ of, collection: cars });
  });
};

const ofNoClients: Omit<Store, keyof Items> = {
  apiKeys: { all: () => [], add: () => {}, remove: () => false },
  hooks: {
    all: () => [],
    count: () => 0,
    add: () => {},
    remove: () => false,
    take: () => undefined,
    save: () => false,
  },
  forgetDeletions: () => {},
  size: () => ({ bytes: 0 }),
  close: () => {},
};

const opened = (open: OpenEmpty, before: typeof beforeAll, after: typeof afterAll): (() => Store) => {
  let current: Store | undefined;
  const cleanUps: (() => unknown)[] = [];
  before(async () => {
    current = await open((cleanUp) => void cleanUps.push(cleanUp));
  });
  after(async () => {
    await current?.close();
    current = undefined;
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });
  return () => {
    if (!current) throw new TypeError('no store is open');
    return current;
  };
};

/** Takes away all that clients can: items of the top, and so all that is nested in them, and keys. */
const empty = async (store: Store): Promise<void> => {
  const keys = await store.apiKeys.all();
  await Promise.all(keys.map(async ({ id }) => store.apiKeys.remove(id)));
  const items = await carsListed(store);
  await Promise.all(items.map((key) => remove(store, cars, [key])));
};

interface Parts {
  /** All tests of a part read one store. */
  readonly readers?: readonly Part[];
  /** Each test finds one store empty, whatever it held before: opening another takes longer than most tests. */
  readonly writers?: readonly Part[];
  /** Each test finds a store that nothing was ever written to. */
  readonly beginners?: readonly Part[];
}

const suite = (name: string, open: OpenEmpty, { readers = [], writers = [], beginners = [] }: Parts): void => {
  describe(name, () => {
    for (const part of readers) describe('filled once', () => part(opened(open, beforeAll, afterAll)));
    describe.runIf(writers.length > 0)('empty each time', () => {
      const store = opened(open, beforeAll, afterAll);
      beforeEach(() => empty(store()));
      for (const part of writers) part(store);
    });
    describe.runIf(beginners.length > 0)('new each time', () => {
      const store = opened(open, beforeEach, afterEach);
      for (const part of beginners) part(store);
    });
  });
};

/** What every store must do with items. @param importRuns how often any import is tried: less where each starts a thread */
const ofItems = (importRuns: number, isDatabase = true): readonly Part[] => [
  unknownMembers,
  outcomes,
  anyWrites(100),
  imports,
  anyImport(importRuns),
  malformedIntents(isDatabase),
  changedLists,
  anyList,
  nested,
  changedGroups,
  searchLists,
];

/** What a store must do that keeps nothing but items, all of them in memory: its lists come whole. */
export const itemConformance = (name: string, open: () => Items): void =>
  suite(name, async () => ({ ...open(), ...ofNoClients }), { writers: ofItems(100, false) });

/** What every store must do, through the port alone. */
export const storeConformance = (name: string, open: OpenEmpty, importRuns = 30): void =>
  suite(name, open, {
    readers: [longLists],
    writers: [...ofItems(importRuns), changedLongLists, nestedChunks, clientKeys, clientHooks],
    beginners: [expiredKeys, forgetting, lifetime],
  });

/**
 * What every store must do beside that where a long list holds a snapshot open.
 *
 * @param limit how many of them the store allows at one time
 */
export const snapshotConformance = (name: string, open: OpenEmpty, limit: number): void =>
  suite(name, open, { writers: [openLists(limit)] });
