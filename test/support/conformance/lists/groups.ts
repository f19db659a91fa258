import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../../src/gateway/model/field.ts';
import { foldCell } from '../../../../src/gateway/model/query.ts';
import type { Store } from '../../../../src/store/store.ts';
import { runsOf } from '../../database/database.ts';
import { cars, createCar, createOil, type ListRequest, oils, readList, remove, update } from '../fixtures.ts';

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
