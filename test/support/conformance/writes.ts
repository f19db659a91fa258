import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { type CellRecord, toCells } from '../database/cells.ts';
import { getItem } from '../database/reads.ts';
import {
  cars,
  cellOf,
  createCar,
  createMany,
  createOil,
  keyOf,
  oils,
  readList,
  revisionOf,
  rowOf,
  update,
} from './fixtures.ts';

const everyValue: readonly (readonly [what: string, values: CellRecord])[] = [
  ['nothing but what is required', {}],
  ['every field', { year: 2008, doors: 5, enginePower: 105, version: 'TDI', clima: 1, ac: 0, fuel: 'Diésel' }],
  ['least integers and false flags', { year: 1886, doors: 0, enginePower: 0, clima: 0, ac: 0 }],
  ['greatest integers and true flags', { year: 2100, doors: 20, enginePower: 10_000, clima: 1, ac: 1 }],
  ['empty texts, which are not absent', { version: '', fuel: '' }],
  ['space at the ends', { brand: ' Seat ', version: '\t1.9\n' }],
  ['a composed and a decomposed accent', { brand: 'Citro\u00ebn', model: 'Citroe\u0308n' }],
  ['characters beyond two bytes', { brand: '汽车', model: '🚗'.repeat(200) }],
  ['what SQL and LIKE could take for theirs', { brand: `'; DROP TABLE "cars"; --`, model: '100%_\\' }],
  ['line breaks and control characters', { version: 'a\r\nb\u0001\u007f\u0085' }],
];

const keys = ['a', 'A', 'á', 'a\u0301', 'x/y z', '%2F', "o'key", '"', '汽🚗', 'k'.repeat(128)];

/** What becomes of writes that `any-writes.ts` has not. */
export const outcomes = (store: () => Store): void => {
  describe('outcomes', () => {
    test.each(everyValue)('keeps %s', async (_, values) => {
      const row = rowOf(await createCar(store(), 'a', values));
      expect(row.slice(1)).toEqual(toCells(cars, { brand: 'Seat', model: 'Ibiza', ...values, identifier: 'a' }));
      expect(await getItem(store(), cars, ['a'])).toEqual(row);
      const updated = rowOf(await update(store(), cars, ['a'], { ...values, doors: 3 }));
      expect(await getItem(store(), cars, ['a'])).toEqual(updated);
      expect(updated.slice(1)).toEqual(
        toCells(cars, { brand: 'Seat', model: 'Ibiza', ...values, doors: 3, identifier: 'a' }),
      );
    });

    test('keys are compared exactly', async () => {
      for (const key of keys) expect((await createCar(store(), key, { fuel: key })).kind).toBe('written');
      for (const key of keys) expect(cellOf(cars, await getItem(store(), cars, [key]), 'fuel')).toBe(key);
    });

    test('of many that are read at once each is the one that was asked for', async () => {
      await createMany(store(), 300);
      for (const [car, type] of [
        ['car-1', '5W-30'],
        ['car-2', '10W/40'],
      ] as const)
        await createOil(store(), car, type);
      const asked = Array.from({ length: 700 }, (_, at) => `car-${at % 350}`);
      const found = await Promise.all(asked.map(async (key) => getItem(store(), cars, [key])));
      expect(found.map((row) => row && keyOf(row))).toEqual(asked.map((key, at) => (at % 350 < 300 ? key : undefined)));
      const pairs = [
        ['car-1', '5W-30'],
        ['car-1', '10W/40'],
        ['car-2', '5W-30'],
        ['car-2', '10W/40'],
        ['none', '5W-30'],
      ];
      const oil = await Promise.all(pairs.map(async (keys) => getItem(store(), oils, keys)));
      expect(oil.map((row) => row && keyOf(row))).toEqual(['5W-30', undefined, undefined, '10W/40', undefined]);
    });

    test('of three hundred at once follow the order of creation, and no number comes twice', async () => {
      const made = await Promise.all(Array.from({ length: 300 }, (_, at) => createCar(store(), `car-${at}`)));
      const revisions = made.map(revisionOf);
      expect(new Set(revisions).size).toBe(made.length);
      const found = await readList(store(), cars, []);
      expect(found?.rows.map(([revision]) => revision)).toEqual(revisions.toSorted((a, b) => a - b));
      expect(found?.change).toBe(found?.rows.at(-1)?.[0]);
    });
  });
};
