import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../../src/store/store.ts';
import type { CellRecord } from '../../database/cells.ts';
import { getItem, openList, summarize } from '../../database/reads.ts';
import {
  cars,
  carsListed,
  createCar,
  createOil,
  keyOf,
  type ListRequest,
  oils,
  queryOf,
  readList,
  remove,
  update,
} from '../fixtures.ts';

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

const filters: readonly (readonly [what: string, filters: ListRequest['filters'], keys: readonly string[]])[] = [
  ['none', {}, all],
  ['a text, whatever its case and accents', { brand: ['cItRoEn'] }, ['c5', 'c3', 'ami', 'c4']],
  ['a text with a composed accent', { brand: ['citro\u00ebn'] }, ['c5', 'c3', 'ami', 'c4']],
  ['a text with a decomposed accent', { brand: ['citroe\u0308n'] }, ['c5', 'c3', 'ami', 'c4']],
  ['part of a text', { brand: ['citro'] }, []],
  ['a wildcard', { brand: ['%'] }, []],
  ['wildcards that are data', { model: ['e%_'] }, ['Élan']],
  ['a key', { identifier: ['elan'] }, ['Élan']],
  ['any of two texts', { brand: ['lotus', 'SEAT'] }, ['ibiza', 'Élan', 'leon']],
  ['one text twice', { brand: ['lotus', 'Lotus'] }, ['Élan']],
  ['an integer', { year: [2008] }, ['c5', 'c3']],
  ['any of two integers', { doors: [2, 3] }, ['ibiza', 'ami']],
  ['an integer beyond the limits', { year: [Number.MAX_SAFE_INTEGER] }, []],
  ['an integer below the limits', { doors: [Number.MIN_SAFE_INTEGER] }, []],
  ['an integer beyond the limits and one within', { year: [3000, 1961] }, ['ami']],
  ['true', { clima: [1] }, ['c5', 'Élan']],
  ['false, which is not absent', { clima: [0] }, ['c4']],
  ['true or false', { clima: [1, 0] }, ['c5', 'c4', 'Élan']],
  ['two fields', { brand: ['seat'], year: [1999] }, ['ibiza', 'leon']],
  ['three fields, of which one matches nothing', { brand: ['seat'], year: [1999], clima: [1] }, []],
];

const ranges: readonly (readonly [what: string, asked: ListRequest, keys: readonly string[]])[] = [
  ['from a value, which is within it', { from: { year: 1999 } }, ['c5', 'ibiza', 'c3', 'Élan', 'leon']],
  ['to a value, which is within it', { to: { year: 1999 } }, ['ibiza', 'ami', 'Élan', 'leon']],
  ['of one value', { from: { year: 1961 }, to: { year: 1961 } }, ['ami']],
  ['of nothing', { from: { year: 2000 }, to: { year: 2007 } }, []],
  ['below every limit', { from: { year: 0 } }, ['c5', 'ibiza', 'c3', 'ami', 'Élan', 'leon']],
  ['beyond every limit', { from: { year: Number.MAX_SAFE_INTEGER } }, []],
  ['of a field without an index', { from: { doors: 3 } }, ['c5', 'ibiza', 'c4']],
  ['of two fields', { from: { year: 1970 }, to: { doors: 5 } }, ['c5', 'ibiza']],
  ['and one of its values', { from: { year: 1999 }, filters: { year: [1961, 2008] } }, ['c5', 'c3']],
  ['and another field', { to: { year: 2000 }, filters: { brand: ['seat'] } }, ['ibiza', 'leon']],
  ['sorted by its field', { from: { year: 1990 }, sort: 'year' }, ['ibiza', 'Élan', 'leon', 'c5', 'c3']],
  ['the reverse', { to: { year: 2000 }, sort: 'year', order: 'desc' }, ['leon', 'Élan', 'ibiza', 'ami']],
  ['sorted by another', { from: { year: 1990 }, sort: 'version' }, ['c3', 'Élan', 'ibiza', 'c5', 'leon']],
  ['in pages', { from: { year: 1990 }, sort: 'year', size: 2, page: 2 }, ['leon', 'c5']],
];

/** Ascending; then descending. Absent values come last in both, in the order of creation. */
const sorts: readonly (readonly [field: string, asc: readonly string[], desc: readonly string[]])[] = [
  [
    'identifier',
    ['ami', 'c3', 'c4', 'c5', 'Élan', 'ibiza', 'leon'],
    ['leon', 'ibiza', 'Élan', 'c5', 'c4', 'c3', 'ami'],
  ],
  ['brand', ['c5', 'c3', 'ami', 'c4', 'Élan', 'ibiza', 'leon'], ['leon', 'ibiza', 'Élan', 'c4', 'ami', 'c3', 'c5']],
  ['year', ['ami', 'ibiza', 'Élan', 'leon', 'c5', 'c3', 'c4'], ['c3', 'c5', 'leon', 'Élan', 'ibiza', 'ami', 'c4']],
  ['version', ['c3', 'c4', 'Élan', 'ibiza', 'ami', 'c5', 'leon'], ['ami', 'ibiza', 'Élan', 'c4', 'c3', 'c5', 'leon']],
  ['clima', ['c4', 'c5', 'Élan', 'ibiza', 'c3', 'ami', 'leon'], ['Élan', 'c5', 'c4', 'ibiza', 'c3', 'ami', 'leon']],
  ['enginePower', all, all],
];

/** By two fields, of which rows lack the second, too: NULLs come first in ascending order in SQLite, and last in PostgreSQL. */
const sortsByTwo: readonly (readonly [sort: string, order: string, keys: readonly string[]])[] = [
  ['brand,year', 'asc,asc', ['ami', 'c5', 'c3', 'c4', 'Élan', 'ibiza', 'leon']],
  ['brand,year', 'asc,desc', ['c3', 'c5', 'ami', 'c4', 'Élan', 'leon', 'ibiza']],
  ['year,doors', 'asc,asc', ['ami', 'ibiza', 'Élan', 'leon', 'c5', 'c3', 'c4']],
  ['year,doors', 'desc,asc', ['c5', 'c3', 'ibiza', 'Élan', 'leon', 'ami', 'c4']],
  ['year,doors', 'asc,desc', ['ami', 'ibiza', 'Élan', 'leon', 'c5', 'c3', 'c4']],
  ['clima,version', 'asc,asc', ['c4', 'Élan', 'c5', 'c3', 'ibiza', 'ami', 'leon']],
];

const windows: readonly (readonly [window: ListRequest, keys: readonly string[]])[] = [
  [{ size: 3 }, all.slice(0, 3)],
  [{ size: 3, page: 2 }, all.slice(3, 6)],
  [{ size: 3, page: 3 }, all.slice(6)],
  [{ size: 3, page: 4 }, []],
  [{ size: 100 }, all],
  [{ page: 1 }, all],
  [{ page: 2 }, []],
  [{ page: Number.MAX_SAFE_INTEGER }, []],
  [{ size: Number.MAX_SAFE_INTEGER, page: 1 }, all],
  [{ size: Number.MAX_SAFE_INTEGER, page: Number.MAX_SAFE_INTEGER }, []],
];

const asks: readonly ListRequest[] = [
  {},
  { size: 2, page: 2 },
  { page: 9 },
  { filters: { brand: ['citroen'] }, sort: 'year' },
  { filters: { brand: ['none'] } },
  { sort: 'version', order: 'desc', size: 1 },
];

const fill = async (store: Store): Promise<void> => {
  for (const [key, values] of stock) await createCar(store, key, values);
};

/** What a list holds, in which order. All tests read one store. */
export const lists = (store: () => Store): void => {
  describe('lists', () => {
    beforeAll(() => fill(store()));

    test.each(filters)('filter by %s', async (_, asked, keys) => {
      expect(await carsListed(store(), { filters: asked ?? {} })).toEqual(keys);
    });

    test.each(ranges)('a range %s', async (_, asked, keys) => {
      expect(await carsListed(store(), asked)).toEqual(keys);
      const { size: __, page: ___, ...whole } = asked;
      const { length } = await carsListed(store(), whole);
      expect(await summarize(store(), cars, [], queryOf(cars, asked))).toMatchObject({ total: length });
    });

    test.each(sorts)('sort by %s', async (sort, asc, desc) => {
      expect(await carsListed(store(), { sort })).toEqual(asc);
      expect(await carsListed(store(), { sort, order: 'asc' })).toEqual(asc);
      expect(await carsListed(store(), { sort, order: 'desc' })).toEqual(desc);
    });

    test.each(sortsByTwo)('sort by %s, %s', async (sort, order, keys) => {
      expect(await carsListed(store(), { sort, order })).toEqual(keys);
    });

    test('a filter and a sort go together', async () => {
      const asked: ListRequest = { filters: { brand: ['citroen'] }, sort: 'year', order: 'desc' };
      expect(await carsListed(store(), asked)).toEqual(['c3', 'c5', 'ami', 'c4']);
    });

    test.each(windows)('window %o', async (window, keys) => {
      const read = await readList(store(), cars, [], window);
      expect(read?.rows.map(keyOf)).toEqual(keys);
      expect(read?.total).toBe(all.length);
    });

    test.each(['asc', 'desc'] as const)('pages neither overlap nor skip: %s', async (order) => {
      for (const sort of cars.fields.map(({ name }) => name)) {
        const whole = await carsListed(store(), { sort, order });
        for (const size of [1, 2, 3]) {
          const pages = await Promise.all(
            [1, 2, 3, 4, 5, 6, 7].map((page) => carsListed(store(), { sort, order, size, page })),
          );
          expect(pages.flat()).toEqual(whole);
        }
      }
    });

    test('rows are the same as those that are read one by one', async () => {
      for (const row of (await readList(store(), cars, []))?.rows ?? []) {
        const [revision, ...cells] = (await getItem(store(), cars, [keyOf(row)])) ?? [];
        expect(row.slice(1)).toEqual(cells);
        expect(row[0]).toBe(revision);
      }
    });

    test.each(asks)('a summary agrees with the list: %o', async (asked) => {
      const { rows, ...summary } = (await readList(store(), cars, [], asked)) ?? { rows: [] };
      expect(await summarize(store(), cars, [], queryOf(cars, asked))).toEqual(summary);
      const unpaged = await carsListed(store(), { ...(asked.filters ? { filters: asked.filters } : {}) });
      expect(summary).toMatchObject({ total: unpaged.length });
      expect(rows.length).toBeLessThanOrEqual(unpaged.length);
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

    test('an update is found by its new value and no more by its old one', async () => {
      await update(store(), cars, ['leon'], { brand: 'Škoda', year: null });
      expect(await carsListed(store(), { filters: { brand: ['skoda'] } })).toEqual(['leon']);
      expect(await carsListed(store(), { filters: { brand: ['seat'] } })).toEqual(['ibiza']);
      expect(await carsListed(store(), { filters: { year: [1999] } })).toEqual(['ibiza', 'Élan']);
    });

    test('a nested list holds the items of its parent only', async () => {
      await createOil(store(), 'c5', '5W-30', { otherInfo: 'Sintético' });
      await createOil(store(), 'ibiza', '10W/40', { otherInfo: 'sintetico' });
      await createOil(store(), 'c5', '10W-40');
      const typesOf = async (car: string, asked: ListRequest) =>
        (await readList(store(), oils, [car], asked))?.rows.map(keyOf);
      expect(await typesOf('c5', {})).toEqual(['5W-30', '10W-40']);
      expect(await typesOf('c5', { sort: 'type' })).toEqual(['10W-40', '5W-30']);
      expect(await typesOf('c5', { filters: { otherInfo: ['SINTETICO'] } })).toEqual(['5W-30']);
      expect(await typesOf('c5', { sort: 'otherInfo', order: 'desc' })).toEqual(['5W-30', '10W-40']);
      expect(await typesOf('c3', {})).toEqual([]);
    });
  });
};
