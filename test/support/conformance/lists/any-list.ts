import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../../../src/store/store.ts';
import { runsOf } from '../../database/database.ts';
import { summarize } from '../../database/reads.ts';
import { cars, createCar, keyOf, type ListRequest, queryOf, readList } from '../fixtures.ts';
import { plainList } from './plain-lists.ts';

const names = cars.fields.map(({ name }) => name);

/** Few values of each, and none, so that many cars are equal in what they are sorted by. */
const stock = Array.from({ length: 40 }, (_, at) => ({
  brand: ['Seat', 'SEAT', 'Ávila', 'avila', 'Citroën'][at % 5] ?? null,
  model: ['A', 'á', 'B'][at % 3] ?? null,
  year: [null, 1999, 2000, 2001, 2005, 2010][(at * 7) % 6] ?? null,
  doors: [0, 3, 5, null][at % 4] ?? null,
  version: [null, '', 'b', 'B'][(at >> 1) % 4] ?? null,
  clima: [1, 0, null][(at * 5) % 3] ?? null,
}));

const filter = fc.oneof(
  fc.record({ brand: fc.subarray(['seat', 'AVILA', 'none'], { minLength: 1 }) }),
  fc.record({ year: fc.subarray([1999, 2010, 3000], { minLength: 1 }) }),
  fc.record({ clima: fc.subarray([0, 1], { minLength: 1 }) }),
);

const limits = fc.record(
  { year: fc.constantFrom(-1, 1999, 2001, 2004, 9999), doors: fc.constantFrom(0, 3, 4) },
  { requiredKeys: [] },
);

const asked: fc.Arbitrary<ListRequest> = fc
  .record({
    filters: fc
      .array(filter, { maxLength: 2 })
      .map((all): NonNullable<ListRequest['filters']> => Object.assign({}, ...all)),
    from: limits,
    to: limits,
    sort: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }),
    order: fc.array(fc.constantFrom('asc', 'desc'), { maxLength: 3 }),
  })
  .map(({ filters, from, to, sort, order }) => {
    const directions = order.slice(0, Math.max(1, sort.length));
    return {
      filters,
      from,
      to,
      ...(sort.length > 0 ? { sort: sort.join() } : {}),
      ...(directions.length > 0 ? { order: directions.join() } : {}),
    };
  });

/** Whatever a list is asked for, it is what the rule makes of all rows. */
export const anyList = (store: () => Store): void => {
  describe('any list', () => {
    test('is filtered, sorted and paged as an array would be', async () => {
      await Promise.all(stock.map((values, at) => createCar(store(), `Car ${(at * 11) % 40}`, values)));
      const rows = (await readList(store(), cars, []))?.rows ?? [];
      expect(rows).toHaveLength(stock.length);
      await fc.assert(
        fc.asyncProperty(asked, fc.integer({ min: 1, max: 15 }), async (list, size) => {
          const expected = plainList(cars, rows, list).map(keyOf);
          const whole = await readList(store(), cars, [], list);
          expect([whole?.total, whole?.rows.map(keyOf)]).toEqual([expected.length, expected]);
          const second = await readList(store(), cars, [], { ...list, size, page: 2 });
          expect(second?.rows.map(keyOf)).toEqual(expected.slice(size, 2 * size));
          expect((await summarize(store(), cars, [], queryOf(cars, list)))?.total).toBe(expected.length);
        }),
        { numRuns: runsOf(40) },
      );
    });
  });
};
