import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Intent, Outcome } from '../../../src/gateway/port/port.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { cars, type ListRequest, oils, readList } from '../../support/conformance/fixtures.ts';
import { type CellRecord, toCells, toChanges } from '../../support/database/cells.ts';
import { preparedDatabase, runsOf } from '../../support/database/database.ts';
import { query } from '../../support/database/postgres.ts';

/** Few of each, so that intents meet. */
const key = fc.constantFrom('á', '"{}\\,', 'NULL');
const type = fc.constantFrom("10W'40", '汽🚗');
const precondition = fc.constantFrom(
  undefined,
  undefined,
  { match: '*', noneMatch: undefined } as const,
  { match: [1, 2, 3], noneMatch: undefined },
  { match: undefined, noneMatch: [4, 5] },
);
const carValues = fc.record<CellRecord>({
  brand: fc.constantFrom('Seat', 'SEAT', 'Citroën', 'Škoda \\ "x"'),
  model: fc.constantFrom('Ibiza', '{1,2}'),
  year: fc.constantFrom(null, 1999, 2008),
  doors: fc.constantFrom(null, 0, 5),
  clima: fc.constantFrom(null, 0, 1),
});

const intents: fc.Arbitrary<Intent> = fc.oneof(
  fc.record({ identifier: key, values: carValues }).map(
    ({ identifier, values }): Intent => ({
      kind: 'create',
      collection: 'cars',
      parents: [],
      cells: toCells(cars, { ...values, identifier }),
    }),
  ),
  fc.record({ identifier: key, values: carValues, precondition }).map(
    ({ identifier, values, precondition }): Intent => ({
      kind: 'update',
      collection: 'cars',
      keys: [identifier],
      changes: toChanges(cars, values),
      precondition,
    }),
  ),
  fc.record({ identifier: key, precondition }).map(
    ({ identifier, precondition }): Intent => ({
      kind: 'remove',
      collection: 'cars',
      keys: [identifier],
      precondition,
    }),
  ),
  fc.tuple(key, type, fc.constantFrom(null, 'x', '')).map(
    ([car, oil, otherInfo]): Intent => ({
      kind: 'create',
      collection: 'oils',
      parents: [car],
      cells: toCells(oils, { type: oil, otherInfo }),
    }),
  ),
  fc.tuple(key, type, fc.constantFrom(null, 'y')).map(
    ([car, oil, otherInfo]): Intent => ({
      kind: 'update',
      collection: 'oils',
      keys: [car, oil],
      changes: [undefined, otherInfo],
    }),
  ),
  fc.tuple(key, type).map(([car, oil]): Intent => ({ kind: 'remove', collection: 'oils', keys: [car, oil] })),
);

const asks: readonly ListRequest[] = [
  {},
  { order: 'desc' },
  { filters: { brand: ['seat'] } },
  { filters: { year: [1999, 2008] }, sort: 'year' },
  { sort: 'year', order: 'desc' },
  { sort: 'brand', size: 3, page: 2 },
  { from: { year: 2000 } },
  { from: { year: 1999 }, to: { year: 2007 }, sort: 'year', order: 'desc', size: 2 },
  { to: { doors: 4 }, sort: 'year' },
  { group: 'brand' },
  { group: 'year', filters: { brand: ['seat'] } },
  { sort: 'year,brand,clima', order: 'desc,asc,desc' },
  { filters: { clima: [1], brand: ['citroen', 'seat'] }, sort: 'identifier' },
];

/** All that can be seen of a store. */
const seenIn = async (store: Store) => {
  const lists = [];
  for (const asked of asks) lists.push(await readList(store, cars, [], asked));
  const nested = [];
  for (const row of lists[0]?.rows ?? []) nested.push(await readList(store, oils, [String(row[1])]));
  return { lists, nested };
};

const TOMBSTONES = 'SELECT "number" FROM "_tombstones"';

test('whatever is written in whatever batches, a server and a file come to the same', async () => {
  // So that numbers go on one by one, the same in both.
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const url = await preparedDatabase();
  const server = await openStore(url, catalogue);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(intents, { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 6 }),
      async (batches) => {
        await query(url, 'TRUNCATE "cars", "oils", "_tombstones"', 'UPDATE "_change" SET "number" = 0');
        const file = await openStore('sqlite::memory:', catalogue);
        let removed = 0;
        for (const batch of batches) {
          const settle = (store: Store): Promise<readonly Outcome[]> =>
            Promise.all(batch.map((each) => store.write(each)));
          const outcomes = await settle(server);
          expect(outcomes).toEqual(await settle(file));
          removed += outcomes.filter(({ kind }) => kind === 'removed').length;
        }
        expect(await seenIn(server)).toEqual(await seenIn(file));
        expect(await query(url, TOMBSTONES)).toHaveLength(removed);
        await file.close();
      },
    ),
    { numRuns: runsOf(25, 25) },
  );
  await server.close();
});
