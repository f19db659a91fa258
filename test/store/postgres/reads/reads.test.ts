import { describe, expect, test } from 'vitest';
import type { Row } from '../../../../src/gateway/port/port.ts';
import { cars, createCar, createOil, keyOf, oils, rowOf } from '../../../support/conformance/fixtures.ts';
import { openForTest, preparedDatabase } from '../../../support/database/database.ts';
import { getItem } from '../../../support/database/reads.ts';

/** Keys that would end an array, an element or a text of one, were they not escaped; and twins that are not the same. */
const KEYS = ['{a}', 'a,b', '"', '\\', '\\"', "'", 'NULL', ' ', 'e\u0301', 'é', 'A', 'a', '%', 'a/b', '🚗'];

const open = async () => openForTest(await preparedDatabase());

/** More than one statement holds. */
const MANY = 250;

describe('items that are read together', () => {
  test('are each their own, whatever their keys, and missing where they are missing', async () => {
    const store = await open();
    const keys = [...KEYS, ...Array.from({ length: MANY }, (_, at) => `car-${at}`)];
    const written = await Promise.all(keys.map((key) => createCar(store, key)));
    const asked = [...keys, 'missing', ...keys];
    const read = await Promise.all(asked.map((key) => getItem(store, cars, [key])));
    expect(read).toEqual([...written.map(rowOf), undefined, ...written.map(rowOf)]);
  });

  test('are found by all of their keys, not by each of them', async () => {
    const store = await open();
    await Promise.all(KEYS.map((key) => createCar(store, key)));
    const here = (car: number, type: number): boolean => (car + type) % 3 !== 0;
    const pairs = KEYS.flatMap((car, at) => KEYS.map((type, other) => ({ car, type, isHere: here(at, other) })));
    const rows = new Map<object, Row>();
    for (const pair of pairs.filter(({ isHere }) => isHere)) {
      rows.set(pair, rowOf(await createOil(store, pair.car, pair.type)));
    }
    const read = await Promise.all(pairs.map(({ car, type }) => getItem(store, oils, [car, type])));
    expect(read).toEqual(pairs.map((pair) => rows.get(pair)));
  });

  test('of several collections at once do not take each other’s place', async () => {
    const store = await open();
    await createCar(store, 'a');
    await createOil(store, 'a', 'b');
    await createCar(store, 'b');
    const read = await Promise.all([
      getItem(store, cars, ['a']),
      getItem(store, oils, ['a', 'b']),
      getItem(store, cars, ['b']),
    ]);
    expect(read.map((row) => row && keyOf(row))).toEqual(['a', 'b', 'b']);
  });
});
