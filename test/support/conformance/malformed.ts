import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/gateway/model/field.ts';
import type { Intent } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { toCells } from '../database/cells.ts';
import { getItem } from '../database/reads.ts';
import { cars, createCar, keyOf, readList, rowOf } from './fixtures.ts';

/**
 * What only a fault in the program can ask for.
 *
 * @param isDatabase whether values have types, so that one that is none breaks a transaction off, which is done again without it
 */
export const malformedIntents =
  (isDatabase: boolean) =>
  (store: () => Store): void => {
    describe('an intent that fits no collection', () => {
      const [key, ...rest] = toCells(cars, { identifier: 'bad', brand: 'Seat', model: 'Ibiza', fuel: 'x' });
      const cells = [key ?? null, ...rest];
      const noCell = { identifier: 'bad', brand: 'Seat', model: 'Ibiza', year: {} as Cell };
      const malformed: readonly (readonly [what: string, intent: Intent])[] = [
        ['a cell too few', { kind: 'create', collection: 'cars', parents: [], cells: cells.slice(0, -1) }],
        ['a cell too many', { kind: 'create', collection: 'cars', parents: [], cells: [...cells, 'x'] }],
        ['a change too few', { kind: 'update', collection: 'cars', keys: ['a'], changes: [undefined, 'Citroën'] }],
        ['a change too many', { kind: 'update', collection: 'cars', keys: ['a'], changes: [...cells, 'x'] }],
        ['no such collection', { kind: 'remove', collection: 'wheels', keys: ['a'] }],
      ];
      const untyped = [
        'no cell',
        { kind: 'create', collection: 'cars', parents: [], cells: toCells(cars, noCell) },
      ] as const;
      test.each(isDatabase ? [...malformed, untyped] : malformed)('is refused alone: %s', async (_, intent) => {
        const row = rowOf(await createCar(store(), 'a'));
        const settled = await Promise.allSettled([
          createCar(store(), 'b'),
          store().write(intent),
          createCar(store(), 'c'),
        ]);
        expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect(await getItem(store(), cars, ['a'])).toEqual(row);
        // Before an API, those that are sent at once arrive in any order.
        expect((await readList(store(), cars, []))?.rows.map(keyOf).toSorted()).toEqual(['a', 'b', 'c']);
      });
    });
  };
