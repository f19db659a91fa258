import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../../../src/gateway/port/port.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { Listing } from '../../database/reads.ts';
import { cars, carsListed, createCar, createMany, keyOf, MANY, openCars, remove, update } from '../fixtures.ts';

const drain = async ({ chunks }: Listing): Promise<readonly (readonly Row[])[]> => {
  const read: (readonly Row[])[] = [];
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) read.push(next.value);
  return read;
};

const returnEarly = async ({ chunks }: Listing, isBegun = true): Promise<void> => {
  if (isBegun) await chunks.next();
  expect(await chunks.return?.()).toMatchObject({ done: true });
};

const readAndReturn = async (listing: Listing): Promise<void> => {
  await drain(listing);
  await listing.chunks.return?.();
  await listing.chunks.return?.();
};

/** Lists that are longer than one chunk. All tests read one store. */
export const longLists = (store: () => Store): void => {
  describe('long lists', () => {
    beforeAll(() => createMany(store()));

    test('come in chunks, each row once, in order', async () => {
      const listing = await openCars(store());
      const chunks = await drain(listing);
      expect([listing.long, listing.total]).toEqual([true, MANY]);
      expect(chunks.length).toBeGreaterThan(1);
      expect(new Set(chunks.flat().map(keyOf)).size).toBe(MANY);
      const revisions = chunks.flat().map(([revision]) => revision);
      expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    });
  });
};

/** The same beside writes. */
export const changedLongLists = (store: () => Store): void => {
  describe('long lists that change', () => {
    beforeEach(() => createMany(store()));

    test('are one snapshot: what is written between two chunks is not seen', async () => {
      const listing = await openCars(store());
      const first = await listing.chunks.next();
      await remove(store(), cars, ['car-650']);
      await update(store(), cars, ['car-651'], { brand: 'Changed' });
      await createCar(store(), 'new');
      const rows = [...(first.done ? [] : first.value), ...(await drain(listing)).flat()];
      expect(rows.map(keyOf)).toContain('car-650');
      expect(rows.map(keyOf)).not.toContain('new');
      expect(rows.flat()).not.toContain('Changed');
      expect(rows).toHaveLength(listing.total);
      const now = await openCars(store());
      expect(now.change).toBeGreaterThan(listing.change);
      const keys = (await drain(now)).flat().map(keyOf);
      expect([keys.includes('car-650'), keys.includes('new')]).toEqual([false, true]);
    });

    test('the snapshot is taken when the list is opened, not when it is first read', async () => {
      const listing = await openCars(store());
      await createCar(store(), 'new');
      const rows = (await drain(listing)).flat();
      expect([rows.length, rows.map(keyOf).includes('new')]).toEqual([MANY, false]);
    });

    test('writes and short reads go on while one is open', async () => {
      const { chunks } = await openCars(store());
      await chunks.next();
      expect((await createCar(store(), 'new')).kind).toBe('written');
      expect(await carsListed(store(), { size: 2 })).toEqual(['car-0', 'car-1']);
      await chunks.return?.();
    });
  });
};

/** For stores that keep a snapshot open for each long list; one that reads it whole has no such limit. */
export const openLists =
  (limit: number) =>
  (store: () => Store): void => {
    describe('many long lists at once', () => {
      test('one that was returned early cannot pass for the whole', async () => {
        await createMany(store());
        const { chunks } = await openCars(store());
        await chunks.next();
        await chunks.return?.();
        await expect(async () => chunks.next()).rejects.toMatchObject({ code: 'unavailable' });
      });

      test('each gives its snapshot free when it is returned early, and when it was read to its end', async () => {
        await createMany(store());
        for (let at = 0; at <= limit; at++) await returnEarly(await openCars(store()), at % 2 === 0);
        for (let at = 0; at <= limit; at++) await readAndReturn(await openCars(store()));
        expect(await carsListed(store())).toHaveLength(MANY);
      });

      test('are refused beyond the limit, until one is over', async () => {
        await createMany(store());
        const listings: Listing[] = [];
        for (let at = 0; at < limit; at++) listings.push(await openCars(store()));
        await expect(async () => openCars(store())).rejects.toMatchObject({ code: 'unavailable', reason: 'lists' });
        expect(await carsListed(store(), { size: 3 })).toHaveLength(3);
        await listings[1]?.chunks.return?.();
        listings.push(await openCars(store()));
        expect((await drain(listings[0] as Listing)).flat()).toHaveLength(MANY);
        listings.push(await openCars(store()));
        await expect(async () => openCars(store())).rejects.toMatchObject({ code: 'unavailable' });
        for (const { chunks } of listings) await chunks.return?.();
        for (let at = 0; at < limit; at++) await (await openCars(store())).chunks.return?.();
      });
    });
  };
