/** What every database has that an earlier version wrote (see `../database/make-catalogue-file.ts`), and goes on from. */
import { copyFileSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Row } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { onServer, sharedDatabase } from '../database/database.ts';
import { pathOf } from '../database/files.ts';
import { fileOf, filled, filledCells } from '../database/make-catalogue-file.ts';
import { query } from '../database/postgres.ts';
import { getItem, summarize } from '../database/reads.ts';
import { cars, carsListed, createCar, keyOf, oils, queryOf, readList, revisionOf } from './fixtures.ts';

const SEAT = filled.cars[0].identifier;
const cellsIn = (rows: readonly Row[] | undefined) => rows?.map(([, ...cells]) => cells);

const expectItems = async (store: Store): Promise<void> => {
  expect(cellsIn((await readList(store, cars, []))?.rows)).toEqual(filledCells.cars);
  expect(cellsIn((await readList(store, oils, [SEAT]))?.rows)).toEqual(filledCells.oils);
  expect(await getItem(store, cars, ['gone'])).toBeUndefined();
  expect(await getItem(store, oils, [SEAT, 'gone'])).toBeUndefined();
  expect((await readList(store, oils, ['back']))?.rows.map(keyOf)).toEqual(['5W-30']);
};

const expectLists = async (store: Store): Promise<void> => {
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
};

/** What 0.1.0 did not know: an index of words, and how a value is written. */
const expectDerived = async (store: Store): Promise<void> => {
  expect(await carsListed(store, { search: 'dies ib' })).toEqual([SEAT]);
  expect(await carsListed(store, { search: 'citroe', sort: 'model' })).toEqual(['汽车🚗', 'Citroën/C5 ñ']);
  const summary = await summarize(store, oils, [SEAT], queryOf(oils, { search: 'según' }));
  expect(summary?.total).toBe(1);
};

/** Finds all of it, and writes on. */
export const expectAllOfEarlier = async (store: Store): Promise<void> => {
  await expectItems(store);
  await expectLists(store);
  await expectDerived(store);
  const change = (await summarize(store, cars, [], queryOf(cars, {})))?.change ?? Infinity;
  expect(revisionOf(await createCar(store, 'gone'))).toBeGreaterThan(change);
};

/** @returns the address of a new database with what a version wrote */
export const loadVersion = async (version: number): Promise<string> => {
  const url = await sharedDatabase(false);
  if (onServer) await query(url, readFileSync(fileOf(version, 'sql'), 'utf8'));
  else copyFileSync(fileOf(version, 'db'), pathOf(url));
  return url;
};
