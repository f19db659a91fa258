import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../../src/store/store.ts';
import type { CellRecord } from '../../database/cells.ts';
import { getItem, openList, summarize } from '../../database/reads.ts';
import { cars, carsListed, createCar, keyOf, oils, queryOf, readList, remove, update } from '../fixtures.ts';

/** In the order of creation. Some brands are one but for case and accents; some values are absent. */
const stock: readonly (readonly [key: string, values: CellRecord])[] = [
  ['c5', { brand: 'Citro\u00ebn', model: 'C5', year: 2008, doors: 5, clima: 1 }],
  ['ibiza', { brand: 'Seat', model: 'Ibiza', year: 1999, doors: 3, version: 'b', ac: 0 }],
  ['c3', { brand: 'CITROEN', model: 'C3', year: 2008, version: '' }],
  ['ami', { brand: 'Citroe\u0308n', model: 'Ami', year: 1961, doors: 2, version: 'B', ac: 1 }],
  ['c4', { brand: 'citroen', model: 'C4', doors: 5, version: 'a', clima: 0 }],
  ['Élan', { brand: 'Lotus', model: 'É%_', year: 1999, version: 'á', clima: 1 }],
  ['leon', { brand: 'Seat', model: 'León', year: 1999 }],
];
const all = stock.map(([key]) => key);

const fill = async (store: Store): Promise<void> => {
  for (const [key, values] of stock) await createCar(store, key, values);
};

/** What a list holds, in which order. All tests read one store. */
export const lists = (store: () => Store): void => {
  describe('lists', () => {
    beforeAll(() => fill(store()));

    test('rows are the same as those that are read one by one', async () => {
      for (const row of (await readList(store(), cars, []))?.rows ?? []) {
        const [revision, ...cells] = (await getItem(store(), cars, [keyOf(row)])) ?? [];
        expect(row.slice(1)).toEqual(cells);
        expect(row[0]).toBe(revision);
      }
    });

    test('a list in a parent that is missing is none', async () => {
      expect(await openList(store(), oils, ['none'], queryOf(oils, {}))).toBeUndefined();
      expect(await summarize(store(), oils, ['none'], queryOf(oils, {}))).toBeUndefined();
    });
  });
};

/** What a list holds after writes. */
export const changedLists = (store: () => Store): void => {
  describe('lists that change', () => {
    beforeEach(() => fill(store()));

    test('texts sort by code point where folding leaves them alone', async () => {
      for (const version of ['🚗', '\uff5e', 'z', '汽']) await createCar(store(), version, { brand: 'Order', version });
      const order = await carsListed(store(), { filters: { brand: ['order'] }, sort: 'version' });
      expect(order).toEqual(['z', '汽', '\uff5e', '🚗']);
    });

    test('without a sort they come in the order of creation, or the reverse', async () => {
      await update(store(), cars, ['c5'], { doors: 4 });
      expect(await carsListed(store(), { order: 'asc' })).toEqual(all);
      expect(await carsListed(store(), { order: 'desc' })).toEqual(all.toReversed());
      await remove(store(), cars, ['c5']);
      await createCar(store(), 'c5');
      expect(await carsListed(store())).toEqual([...all.slice(1), 'c5']);
    });
  });
};
