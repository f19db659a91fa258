/** A database of a version that left blanks at the ends of keys. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { cars, oils } from '../../../support/conformance/fixtures.ts';
import { emptyDatabase } from '../../../support/database/database.ts';
import { fileOf } from '../../../support/database/make-catalogue-file.ts';
import { query } from '../../../support/database/postgres.ts';
import { getItem } from '../../../support/database/reads.ts';

const car = (key: string, number: number): string =>
  `INSERT INTO cars (_created, _revision, identifier, _identifier, brand, model) VALUES (${number}, ${number}, '${key}', '${key.toLowerCase()}', 'Seat', 'Ibiza')`;
const oil = (parent: string, key: string, number: number): string =>
  `INSERT INTO oils (_created, _revision, _parent, type, _type) VALUES (${number}, ${number}, '${parent}', '${key}', '${key.toLowerCase()}')`;

const databaseWith = async (...rows: readonly string[]): Promise<string> => {
  const url = await emptyDatabase();
  await query(url, readFileSync(fileOf(5, 'sql'), 'utf8'));
  for (const row of rows) await query(url, `SET search_path TO public; ${row}`);
  return url;
};

test('is upgraded: the items have their keys without them, and what is nested in them', async () => {
  const url = await databaseWith(car(' K-1\u00a0', 9001), oil(' K-1\u00a0', ' 5W-30', 9002));
  const lines: string[] = [];
  const store = await openStore(url, catalogue, { report: (line) => lines.push(line) });
  expect(lines.join()).toContain('from the ends of keys: cars " K-1\u00a0", oils " 5W-30"');
  expect((await getItem(store, cars, ['K-1']))?.[1]).toBe('K-1');
  expect((await getItem(store, oils, ['K-1', '5W-30']))?.[1]).toBe('5W-30');
  await store.close();
  const positions = 'SELECT t.key::bigint = c.number AS are_gone FROM public._tombstones AS t, public._change AS c';
  expect(await query(url, positions)).toMatchObject([{ are_gone: true }]);
});

test('is left as it is if keys would be one', async () => {
  const url = await databaseWith(car('K-1', 9001), car(' K-1', 9002), car('K-2 ', 9003));
  await expect(openStore(url, catalogue)).rejects.toThrow('cars " K-1", cars "K-1"; ');
  const keys = await query(url, "SELECT identifier FROM public.cars WHERE identifier LIKE '%K-%' ORDER BY 1");
  expect(JSON.stringify(keys)).toMatch(/" K-1".*"K-1".*"K-2 "/);
});
