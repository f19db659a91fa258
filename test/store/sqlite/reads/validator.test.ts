import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../../../src/catalogue.ts';
import { openStore } from '../../../../src/service/open-store.ts';
import { sqlite } from '../../../../src/store/sql/dialects.ts';
import { sqlOf } from '../../../../src/store/sql/items.ts';
import type { Connection } from '../../../../src/store/sqlite/connection/connection.ts';
import { validatorOf } from '../../../../src/store/sqlite/reads/validator.ts';
import { cars, createCar, createOil, oils, remove, update } from '../../../support/conformance/fixtures.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

/** The cache asks before any handler runs: what is thrown there would end the process. */
test('a database that cannot be read knows nothing, and throws nothing', () => {
  const fail = (): never => {
    throw new Error('database disk image is malformed');
  };
  const connection = { row: fail, rows: fail } as unknown as Connection;
  const use = <T>(work: () => T): T => work();
  const validator = validatorOf(connection, catalogue, sqlOf(catalogue, sqlite), 'version', use);
  expect(validator.dataVersion()).toBeUndefined();
  expect(validator.lastChange()).toBeUndefined();
  expect(validator.revision(cars, ['a'])).toBeUndefined();
  expect(validator.changedSince(0)).toBeUndefined();
});

describe.each(['a file', 'memory'])('in %s', (place) => {
  const open = async () => {
    const file = place === 'memory' ? ':memory:' : join(temporaryFolder(), 'cars.db');
    const store = await openStore(`sqlite:${file}`, catalogue);
    onTestFinished(() => store.close());
    const { validator } = store;
    if (!validator) throw new TypeError('no validator');
    const since = validator.lastChange() ?? 0;
    return { store, validator, changed: () => validator.changedSince(since)?.toSorted() };
  };
  const namesOf = (...keys: readonly string[]) => keys.map((key) => `cars/${key}`);

  test('what was created, changed or deleted since is known, by the name that the item has', async () => {
    const { store, validator, changed } = await open();
    expect(changed()).toEqual([]);
    await createCar(store, 'a/1');
    await createCar(store, 'b');
    expect(changed()).toEqual(namesOf('a/1', 'b'));
    expect(validator.nameOf(cars, ['a/1'])).toBe('cars/a/1');
    const before = validator.lastChange() ?? 0;
    await update(store, cars, ['b'], { year: 2000 });
    expect(validator.changedSince(before)).toEqual(namesOf('b'));
    await remove(store, cars, ['b']);
    expect(validator.changedSince(before)).toEqual(namesOf('b'));
    await createCar(store, 'b');
    expect(new Set(validator.changedSince(before))).toEqual(new Set(namesOf('b')));
    expect(validator.changedSince(validator.lastChange() ?? 0)).toEqual([]);
  });

  test('nested items have no name, and none of them is told', async () => {
    const { store, validator } = await open();
    await createCar(store, 'a');
    const before = validator.lastChange() ?? 0;
    await createOil(store, 'a', '5W-30');
    await remove(store, oils, ['a', '5W-30']);
    expect(validator.changedSince(before)).toEqual([]);
    expect(validator.nameOf(oils, ['a', '5W-30'])).toBeUndefined();
  });

  test('of more than a thousand changes nothing is told', async () => {
    const { store, changed } = await open();
    await Promise.all(Array.from({ length: 1_000 }, (_, at) => createCar(store, String(at))));
    expect(changed()).toHaveLength(1_000);
    await createCar(store, 'one more');
    expect(changed()).toBeUndefined();
  });
});
