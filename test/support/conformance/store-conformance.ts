import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/port.ts';
import { anyImport } from './any-import.ts';
import { anyList } from './any-list.ts';
import { clientKeys } from './client-keys.ts';
import { cars, createCar, queryOf } from './fixtures.ts';
import { groupLists } from './groups.ts';
import { idempotencyKeys } from './idempotency.ts';
import { imports } from './imports.ts';
import { lists } from './lists.ts';
import { longLists, openLists } from './long-lists.ts';
import { malformedIntents } from './malformed.ts';
import { nested } from './nested.ts';
import { preconditions } from './preconditions.ts';
import { quotas } from './quotas.ts';
import { searchLists } from './search.ts';
import { changeNumbers, outcomes } from './writes.ts';

/** Opens an empty database; what it leaves behind when the store is closed is its own affair. */
export type OpenEmpty = () => Promise<Store> | Store;

const lifetime = (store: () => Store): void => {
  describe('lifetime', () => {
    test('is ready while it is open', async () => {
      expect(await store().ready()).toBe(true);
      await store().close();
      expect(await store().ready()).toBe(false);
    });

    test('finishes what was begun before it closes', async () => {
      const writes = Array.from({ length: 300 }, (_, at) => createCar(store(), `car-${at}`));
      await store().close();
      expect(new Set((await Promise.all(writes)).map(({ kind }) => kind))).toEqual(new Set(['written']));
    });

    test('closes twice without harm', async () => {
      await store().close();
      await store().close();
    });

    test('answers with the problem "unavailable" once it is closed', async () => {
      await store().close();
      const unavailable = { code: 'unavailable' };
      await expect(async () => store().get(cars, ['a'])).rejects.toMatchObject(unavailable);
      await expect(async () => store().list(cars, [], queryOf(cars, {}))).rejects.toMatchObject(unavailable);
      await expect(async () => store().summarize(cars, [], queryOf(cars, {}))).rejects.toMatchObject(unavailable);
      await expect(createCar(store(), 'a')).rejects.toMatchObject(unavailable);
    });
  });
};

const suite = (name: string, open: OpenEmpty, parts: readonly ((store: () => Store) => void)[]): void => {
  describe(name, () => {
    let opened: Store | undefined;
    const store = (): Store => {
      if (!opened) throw new TypeError('no store is open');
      return opened;
    };
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      await opened?.close();
      opened = undefined;
    });
    for (const part of parts) part(store);
  });
};

/** What every store must do, through the port alone. */
export const storeConformance = (name: string, open: OpenEmpty): void =>
  suite(name, open, [
    outcomes,
    changeNumbers,
    preconditions,
    idempotencyKeys,
    imports,
    anyImport,
    malformedIntents,
    lists,
    anyList,
    nested,
    groupLists,
    searchLists,
    longLists,
    clientKeys,
    quotas,
    lifetime,
  ]);

/**
 * What every store must do beside that where a long list holds a snapshot open.
 *
 * @param limit how many of them the store allows at one time
 */
export const snapshotConformance = (name: string, open: OpenEmpty, limit: number): void =>
  suite(name, open, [openLists(limit)]);
