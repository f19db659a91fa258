import { describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../../src/gateway/model/query.ts';
import type { Row } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { getItem, getWithNested, openList } from '../database/reads.ts';
import { cars, createCar, createMany, createOil, keyOf, MANY, oils, readList, remove, update } from './fixtures.ts';

/** The rows nested in a row of cars, which stand behind its cells as JSON. */
const nestedIn = (row: Row | undefined): readonly Row[] => JSON.parse(String(row?.[cars.fields.length + 1]));

/** Items with others in them, in one snapshot. */
export const nested = (store: () => Store): void => {
  describe('nested items', () => {
    test('come with each item of a list, in the order of creation', async () => {
      for (const key of ['a', 'b', 'c']) await createCar(store(), key);
      await createOil(store(), 'c', 'Z', { otherInfo: 'quote " backslash \\ ñ 汽 🚗 \u2028' });
      await createOil(store(), 'a', 'x');
      await createOil(store(), 'c', 'A');
      await update(store(), oils, ['c', 'Z'], { otherInfo: 'ñ "\\" 🚗' });
      const list = await readList(store(), cars, [], { withOils: true, order: 'desc' });
      const [c, b, a] = list?.rows ?? [];
      expect([c, b, a].map((row) => row && keyOf(row))).toEqual(['c', 'b', 'a']);
      expect(nestedIn(c).map(([, ...cells]) => cells)).toEqual([
        ['Z', 'ñ "\\" 🚗'],
        ['A', null],
      ]);
      expect(nestedIn(b)).toEqual([]);
      expect(nestedIn(a)).toEqual([await getItem(store(), oils, ['a', 'x'])]);
      const sorted = await readList(store(), cars, [], { withOils: true, sort: 'year,brand', size: 1, page: 3 });
      expect(sorted?.rows).toEqual([c]);
    });

    test('come with one item, beside the change number of the database', async () => {
      await createCar(store(), 'a', { year: 2008 });
      await createOil(store(), 'a', 'x');
      const first = await getWithNested(store(), cars, ['a'], [oils]);
      expect(first?.row.slice(0, cars.fields.length + 1)).toEqual(await getItem(store(), cars, ['a']));
      expect(nestedIn(first?.row)).toEqual([await getItem(store(), oils, ['a', 'x'])]);
      await remove(store(), oils, ['a', 'x']);
      const second = await getWithNested(store(), cars, ['a'], [oils]);
      expect(nestedIn(second?.row)).toEqual([]);
      expect(second?.row[0]).toBe(first?.row[0]);
      expect(second?.change).toBeGreaterThan(first?.change ?? Infinity);
      expect(await getWithNested(store(), cars, ['none'], [oils])).toBeUndefined();
    });

    test('come with every item of a list that is longer than a chunk', async () => {
      await createMany(store());
      await createOil(store(), `car-${MANY - 1}`, 'last');
      const rows = (await readList(store(), cars, [], { withOils: true }))?.rows ?? [];
      expect(rows.map((row) => nestedIn(row).length)).toEqual([...Array(MANY - 1).fill(0), 1]);
    });
  });
};

/** A list of items with others in them comes in chunks. */
export const nestedChunks = (store: () => Store): void =>
  test('nested items are read for few items at a time, because each may have any number of them', async () => {
    await createMany(store(), 60);
    const listing = await openList(store(), cars, [], { ...EVERYTHING, include: [oils] });
    const { value = [] } = (await listing?.chunks.next()) ?? {};
    await listing?.chunks.return?.();
    expect(value.length).toBe(50);
    expect(listing?.long).toBe(true);
  });
