import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { type CellRecord, toCells } from '../database/cells.ts';
import { getItem, summarize } from '../database/reads.ts';
import {
  cars,
  cellOf,
  createCar,
  createMany,
  createOil,
  keyOf,
  oils,
  queryOf,
  readList,
  remove,
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

const kindsOf = (outcomes: readonly Outcome[]): readonly string[] => outcomes.map(({ kind }) => kind);
const countOf = (outcomes: readonly Outcome[], kind: Outcome['kind']): number =>
  outcomes.filter((outcome) => outcome.kind === kind).length;

/** What becomes of a write. */
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

    test('a second item with the same key is refused and changes nothing', async () => {
      const row = rowOf(await createCar(store(), 'a', { year: 2008 }));
      expect(await createCar(store(), 'a', { year: 1999 })).toEqual({ kind: 'already-exists' });
      expect(await getItem(store(), cars, ['a'])).toEqual(row);
    });

    test('a nested key is taken within its parent only', async () => {
      await createCar(store(), 'a');
      await createCar(store(), 'b');
      expect((await createOil(store(), 'a', '5W-30')).kind).toBe('written');
      expect((await createOil(store(), 'b', '5W-30')).kind).toBe('written');
      expect(await createOil(store(), 'a', '5W-30')).toEqual({ kind: 'already-exists' });
    });

    test('an update changes what is sent, clears what is null, and leaves the rest', async () => {
      await createCar(store(), 'a', { year: 2008, doors: 5, clima: 1, version: 'TDI' });
      const row = rowOf(await update(store(), cars, ['a'], { doors: 3, clima: 0, version: null }));
      expect(row.slice(1)).toEqual(
        toCells(cars, { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008, doors: 3, clima: 0 }),
      );
      expect(await getItem(store(), cars, ['a'])).toEqual(row);
    });

    test('a removed item is gone, once', async () => {
      await createCar(store(), 'a');
      expect(await remove(store(), cars, ['a'])).toEqual({ kind: 'removed', change: expect.any(Number) });
      expect(await getItem(store(), cars, ['a'])).toBeUndefined();
      expect(await remove(store(), cars, ['a'])).toEqual({ kind: 'missing', collection: 'cars' });
    });

    test('what is missing is named: the car, or the oil of a car that is there', async () => {
      await createCar(store(), 'a');
      const noCar = { kind: 'missing', collection: 'cars' };
      const noOil = { kind: 'missing', collection: 'oils' };
      expect(await update(store(), cars, ['b'], { doors: 3 })).toEqual(noCar);
      expect(await createOil(store(), 'b', '5W-30')).toEqual(noCar);
      expect(await update(store(), oils, ['b', '5W-30'], { otherInfo: 'x' })).toEqual(noCar);
      expect(await remove(store(), oils, ['b', '5W-30'])).toEqual(noCar);
      expect(await update(store(), oils, ['a', '5W-30'], { otherInfo: 'x' })).toEqual(noOil);
      expect(await remove(store(), oils, ['a', '5W-30'])).toEqual(noOil);
      expect(await getItem(store(), oils, ['a', '5W-30'])).toBeUndefined();
      expect(await getItem(store(), oils, ['b', '5W-30'])).toBeUndefined();
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

    test('removing a car removes its oils and no others', async () => {
      for (const car of ['a', 'b']) {
        await createCar(store(), car);
        for (const type of ['5W-30', '10W/40']) await createOil(store(), car, type);
      }
      await remove(store(), cars, ['a']);
      expect(await getItem(store(), oils, ['a', '5W-30'])).toBeUndefined();
      await createCar(store(), 'a');
      expect((await readList(store(), oils, ['a']))?.rows).toEqual([]);
      expect((await readList(store(), oils, ['b']))?.total).toBe(2);
    });
  });
};

/** The one number that counts every change of the database. */
export const changeNumbers = (store: () => Store): void => {
  const change = async (): Promise<number | undefined> =>
    (await summarize(store(), cars, [], queryOf(cars, {})))?.change;

  describe('change numbers', () => {
    test('every write takes a greater number, whatever collection it is about', async () => {
      const first = revisionOf(await createCar(store(), 'a'));
      const second = revisionOf(await createOil(store(), 'a', '5W-30'));
      const third = revisionOf(await update(store(), cars, ['a'], { doors: 3 }));
      const fourth = revisionOf(await update(store(), oils, ['a', '5W-30'], { otherInfo: 'x' }));
      expect([second > first, third > second, fourth > third]).toEqual([true, true, true]);
      expect(await change()).toBe(fourth);
    });

    test('a removal takes a number, and the item created again has a greater one', async () => {
      const before = revisionOf(await createCar(store(), 'a'));
      await remove(store(), cars, ['a']);
      const removal = await change();
      const after = revisionOf(await createCar(store(), 'a'));
      expect(removal).toBeGreaterThan(before);
      expect(after).toBeGreaterThan(Number(removal));
    });

    test('an update that changes nothing keeps the revision and takes no number', async () => {
      const row = rowOf(await createCar(store(), 'a', { year: 2008, ac: 0 }));
      expect(await update(store(), cars, ['a'], {})).toEqual({ kind: 'written', row, isUnchanged: true });
      expect(await update(store(), cars, ['a'], { year: 2008, ac: 0, doors: null })).toEqual({
        kind: 'written',
        row,
        isUnchanged: true,
      });
      expect(await change()).toBe(row[0]);
    });

    test('a write that is refused takes no number', async () => {
      const revision = revisionOf(await createCar(store(), 'a'));
      await createCar(store(), 'a');
      await update(store(), cars, ['b'], { doors: 3 });
      await remove(store(), cars, ['b']);
      expect(await change()).toBe(revision);
    });

    test('an oil that is written leaves the revision of its car', async () => {
      const row = rowOf(await createCar(store(), 'a'));
      await createOil(store(), 'a', '5W-30');
      expect(await getItem(store(), cars, ['a'])).toEqual(row);
    });

    test('numbers of concurrent writes never repeat and follow the order of creation', async () => {
      const made = await Promise.all(Array.from({ length: 300 }, (_, at) => createCar(store(), `car-${at}`)));
      const revisions = new Set(made.map(revisionOf));
      expect(revisions.size).toBe(made.length);
      const listed = (await readList(store(), cars, []))?.rows.map(([revision]) => revision) ?? [];
      expect(listed).toEqual([...revisions].sort((a, b) => a - b));
      expect(await change()).toBe(listed.at(-1));
    });
  });

  describe('concurrent writes', () => {
    test('of fifty creations of one key one is written', async () => {
      const made = await Promise.all(
        Array.from({ length: 50 }, (_, at) => createCar(store(), 'a', { doors: at % 20 })),
      );
      expect([countOf(made, 'written'), countOf(made, 'already-exists')]).toEqual([1, 49]);
      const winner = made.find(({ kind }) => kind === 'written');
      expect(winner && rowOf(winner)).toEqual(await getItem(store(), cars, ['a']));
    });

    test('each keeps its own outcome', async () => {
      await createCar(store(), 'a');
      const settled = await Promise.all([
        createCar(store(), 'b'),
        createCar(store(), 'a'),
        createOil(store(), 'none', '5W-30'),
        update(store(), cars, ['a'], { doors: 3 }),
        remove(store(), cars, ['none']),
        createOil(store(), 'a', '5W-30'),
      ]);
      expect(kindsOf(settled)).toEqual(['written', 'already-exists', 'missing', 'written', 'missing', 'written']);
      expect((await readList(store(), cars, []))?.total).toBe(2);
    });

    test('a car that is removed and created again has none of its oils, and may have them again', async () => {
      await createCar(store(), 'a', { doors: 5 });
      await createOil(store(), 'a', '5W-30', { otherInfo: 'old' });
      await createOil(store(), 'a', '10W/40');
      const settled = await Promise.all([
        remove(store(), cars, ['a']),
        createCar(store(), 'a', { year: 2008 }),
        update(store(), oils, ['a', '10W/40'], { otherInfo: 'x' }),
        createOil(store(), 'a', '5W-30', { otherInfo: 'new' }),
        update(store(), cars, ['a'], { year: 1999 }),
        createCar(store(), 'b'),
        remove(store(), cars, ['b']),
      ]);
      const kinds = ['removed', 'written', 'missing', 'written', 'written', 'written', 'removed'];
      expect(kindsOf(settled)).toEqual(kinds);
      const row = await getItem(store(), cars, ['a']);
      expect(row?.slice(1)).toEqual(toCells(cars, { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 1999 }));
      expect((await readList(store(), oils, ['a']))?.rows.map((oil) => oil.slice(1))).toEqual([['5W-30', 'new']]);
      expect((await readList(store(), cars, []))?.total).toBe(1);
    });

    test('updates of one item all count', async () => {
      await createCar(store(), 'a');
      const fields: readonly CellRecord[] = [
        { year: 2008 },
        { doors: 5 },
        { version: 'TDI' },
        { clima: 1 },
        { fuel: 'x' },
      ];
      await Promise.all(fields.map((each) => update(store(), cars, ['a'], each)));
      const row = await getItem(store(), cars, ['a']);
      expect(row?.slice(1)).toEqual(
        toCells(cars, Object.assign({ identifier: 'a', brand: 'Seat', model: 'Ibiza' }, ...fields)),
      );
    });
  });
};
