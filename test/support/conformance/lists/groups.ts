import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Cell } from '../../../../src/gateway/model/field.ts';
import { foldCell } from '../../../../src/gateway/model/search.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { CellRecord } from '../../database/cells.ts';
import { runsOf } from '../../database/database.ts';
import { cars, createCar, createOil, type ListRequest, oils, readList, remove, update } from '../fixtures.ts';

const stock: readonly CellRecord[] = [
  { brand: 'Seat', model: 'Ibiza', year: 1999, doors: 5, clima: 1, fuel: 'Gas' },
  { brand: 'SEAT', model: 'León', year: 2008, doors: 5, clima: 0, fuel: 'gas' },
  { brand: 'Citroën', model: 'C4', year: 2008, doors: 3, clima: 1 },
  { brand: 'citroen', model: 'C5', doors: 3, fuel: 'Diésel' },
  { brand: 'Citro\u00ebn', model: 'Leon', year: 1961, version: '' },
  { brand: 'Lotus', model: 'élan', year: 2008 },
];

/** Values with their totals. Of two writings that are as frequent, the one that is first by code points is shown. */
const groups: readonly (readonly [group: string, asked: ListRequest, rows: readonly (readonly [Cell, number])[]])[] = [
  [
    'brand',
    {},
    [
      ['Citroën', 3],
      ['SEAT', 2],
      ['Lotus', 1],
    ],
  ],
  [
    'model',
    {},
    [
      ['Leon', 2],
      ['C4', 1],
      ['C5', 1],
      ['élan', 1],
      ['Ibiza', 1],
    ],
  ],
  [
    'year',
    {},
    [
      [2008, 3],
      [1961, 1],
      [1999, 1],
      [null, 1],
    ],
  ],
  [
    'doors',
    {},
    [
      [3, 2],
      [5, 2],
      [null, 2],
    ],
  ],
  [
    'clima',
    {},
    [
      [1, 2],
      [0, 1],
      [null, 3],
    ],
  ],
  [
    'fuel',
    {},
    [
      ['Gas', 2],
      ['Diésel', 1],
      [null, 3],
    ],
  ],
  [
    'version',
    {},
    [
      ['', 1],
      [null, 5],
    ],
  ],
  ['enginePower', {}, [[null, 6]]],
  [
    'brand',
    { filters: { year: [2008] } },
    [
      ['Citroën', 1],
      ['Lotus', 1],
      ['SEAT', 1],
    ],
  ],
  ['year', { filters: { brand: ['lotus'], year: [1] } }, []],
  ['brand', { size: 1, page: 2 }, [['SEAT', 2]]],
  ['brand', { size: 2, page: 3 }, []],
];

/** Each group as it is read. */
const grouped = async (store: Store, group: string, asked: ListRequest = {}) => {
  const found = await readList(store, cars, [], { ...asked, group });
  return { total: found?.total, rows: found?.rows.map(([, ...cells]) => cells) };
};

/** What groups are: a model that knows no SQL. */
const expected = (values: readonly Cell[]): readonly (readonly [Cell, number])[] => {
  const byValue = [...Map.groupBy(values, foldCell)].map(([value, all]) => {
    const counts = [...Map.groupBy(all, (each) => each)].map(([text, { length }]) => ({ text, length }));
    const bytes = (text: Cell): Buffer => Buffer.from(String(text));
    counts.sort((a, b) => b.length - a.length || Buffer.compare(bytes(a.text), bytes(b.text)));
    return { value, shown: counts[0]?.text ?? null, count: all.length };
  });
  return byValue
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) return a.value === null ? 1 : -1;
      return b.count - a.count || (a.value < b.value ? -1 : 1);
    })
    .map(({ shown, count }) => [shown, count]);
};

/** Lists of groups. All tests read one store. */
export const groupLists = (open: () => Store): void => {
  describe('groups', () => {
    beforeAll(() => Promise.all(stock.map((values, at) => createCar(open(), `car-${at}`, values))));

    test.each(groups)('by %s (%j)', async (group, asked, rows) => {
      const found = await grouped(open(), group, asked);
      expect(found.rows).toEqual(rows);
      if (asked.size === undefined) expect(found.total).toBe(rows.length);
    });
  });
};

/** Lists of groups after writes. */
export const changedGroups = (open: () => Store): void => {
  describe('groups that change', () => {
    test('of a nested list', async () => {
      await createCar(open(), 'a');
      await createCar(open(), 'b');
      for (const type of ['5W', '5w ', 'é']) await createOil(open(), 'a', type, { otherInfo: 'X' });
      await createOil(open(), 'b', '5W', { otherInfo: 'x' });
      const found = await readList(open(), oils, ['a'], { group: 'otherInfo' });
      expect(found?.rows.map(([, ...cells]) => cells)).toEqual([['X', 3]]);
      expect(await readList(open(), oils, ['none'], { group: 'otherInfo' })).toBeUndefined();
    });

    test('follow every write', async () => {
      const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
      const values = fc.record({
        brand: fc.constantFrom('Seat', 'SEAT', 'seat', 'Ávila', 'avila', 'ß', 'SS'),
        year: fc.constantFrom(null, 1999, 2008),
      });
      const steps = fc.array(fc.tuple(key, fc.option(values)), { minLength: 1, maxLength: 12 });
      const model = new Map<string, { readonly brand: string; readonly year: number | null }>();
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          for (const [name, wanted] of all) {
            if (!wanted) await remove(open(), cars, [name]);
            else if (model.has(name)) await update(open(), cars, [name], wanted);
            else await createCar(open(), name, wanted);
            if (wanted) model.set(name, wanted);
            else model.delete(name);
          }
          const now = [...model.values()];
          for (const name of ['brand', 'year'] as const) {
            const rows = expected(now.map((each) => each[name]));
            expect(await grouped(open(), name)).toEqual({ total: rows.length, rows });
            // Two filters that leave all.
            const all = { filters: { identifier: ['a', 'b', 'c', 'd', 'e'], model: ['ibiza'] } };
            expect(await grouped(open(), name, all)).toEqual({ total: rows.length, rows });
          }
        }),
        { numRuns: runsOf(15, 8) },
      );
    });
  });
};
