import { copyFileSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogue } from '../../../../src/catalogue.ts';
import { openStore } from '../../../../src/open-store.ts';
import type { Row } from '../../../../src/store/port.ts';
import {
  cars,
  carsListed,
  createCar,
  keyOf,
  oils,
  queryOf,
  readList,
  revisionOf,
} from '../../../support/conformance/fixtures.ts';
import {
  catalogueFiles,
  currentVersion,
  fileOf,
  filled,
  filledCells,
} from '../../../support/database/make-catalogue-file.ts';
import { inFile } from '../../../support/database/transfer.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

const SEAT = filled.cars[0].identifier;
const cellsIn = (rows: readonly Row[] | undefined) => rows?.map(([, ...cells]) => cells);

test('there is a file of the schema that is written today', async () => {
  const path = fileOf(await currentVersion());
  expect(existsSync(path), `${path} is missing: node test/support/database/make-catalogue-file.ts`).toBe(true);
  expect(catalogueFiles()).toContain(path);
});

test.each(catalogueFiles().map((path) => [basename(path), path] as const))(
  '%s opens with all it holds',
  async (name, path) => {
    const copy = join(temporaryFolder(), name);
    copyFileSync(path, copy);
    const store = await openStore(`sqlite:${copy}`, catalogue);

    expect(cellsIn((await readList(store, cars, []))?.rows)).toEqual(filledCells.cars);
    expect(cellsIn((await readList(store, oils, [SEAT]))?.rows)).toEqual(filledCells.oils);
    expect(await store.get(cars, ['gone'])).toBeUndefined();
    expect(await store.get(oils, [SEAT, 'gone'])).toBeUndefined();
    expect((await readList(store, oils, ['back']))?.rows.map(keyOf)).toEqual(['5W-30']);

    expect(await carsListed(store, { filters: { brand: ['citroen'] }, sort: 'model' })).toEqual([
      '汽车🚗',
      'Citroën/C5 ñ',
    ]);
    expect(await carsListed(store, { sort: 'year', order: 'desc', size: 2 })).toEqual(['back', SEAT]);

    // Brands that are equal but for accents, case or how they are composed come in the order of creation.
    const byBrand = [SEAT, 'back'];
    expect(await carsListed(store, { sort: 'brand' })).toEqual(['Citroën/C5 ñ', '汽车🚗', ...byBrand]);
    expect(await carsListed(store, { sort: 'brand', order: 'desc' })).toEqual([
      ...byBrand.toReversed(),
      '汽车🚗',
      'Citroën/C5 ñ',
    ]);

    const indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1";
    expect(inFile(copy, indexes)).toEqual(
      [
        '_idempotency_expires',
        'cars__created',
        'cars_brand',
        'cars_identifier',
        'cars_model',
        'cars_revision',
        'cars_year',
        'oils__parent',
      ].map((name) => ({
        name,
      })),
    );
    const change = (await store.summarize(cars, [], queryOf(cars, {})))?.change ?? Infinity;
    expect(revisionOf(await createCar(store, 'gone'))).toBeGreaterThan(change);
    await store.close();
  },
);

test('version 0.1.0 is told that today’s file is newer, by what it looks at in the header', async () => {
  const path = join(temporaryFolder(), 'cars.db');
  await (await openStore(`sqlite:${path}`, catalogue)).close();
  expect(inFile(path, 'PRAGMA application_id')).toEqual([{ application_id: 0x43444c43 }]);
  const [{ user_version } = {}] = inFile(path, 'PRAGMA user_version') as readonly { readonly user_version?: number }[];
  expect(user_version).toBeGreaterThan(1);
});
