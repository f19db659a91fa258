/** A database of a version that left blanks at the ends of keys. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { collection } from '../../src/gateway/model/catalogue.ts';
import { reference } from '../../src/gateway/model/fields.ts';
import { openStore } from '../../src/host/service/open-store.ts';
import { verify } from '../../src/tools/verify/verify.ts';
import { carsWith, catalogue, specsOf } from '../support/cars/catalogue.ts';
import { givenOn } from '../support/commands/given.ts';
import { loadVersion } from '../support/conformance/earlier.ts';
import { cars, oils, queryOf } from '../support/conformance/fixtures.ts';
import { onServer } from '../support/database/database.ts';
import { inFile, pathOf } from '../support/database/files.ts';
import { query } from '../support/database/postgres.ts';
import { getItem, summarize } from '../support/database/reads.ts';

const car = (key: string, number: number): string =>
  `INSERT INTO cars (_created, _revision, identifier, _identifier, brand, _brand, model, _model) VALUES (${number}, ${number}, '${key}', '${key.toLowerCase()}', 'Seat', 'seat', 'Ibiza', 'ibiza')`;
const oil = (parent: string, key: string, number: number): string =>
  `INSERT INTO oils (_created, _revision, _parent, type, _type) VALUES (${number}, ${number}, '${parent}', '${key}', '${key.toLowerCase()}')`;

const run = async (url: string, ...statements: readonly string[]): Promise<readonly unknown[]> =>
  onServer ? query(url, 'SET search_path TO public', ...statements) : inFile(pathOf(url), ...statements);

/** @returns a database of version 5 with more rows */
const databaseWith = async (...rows: readonly string[]): Promise<string> => {
  const url = await loadVersion(5);
  await run(url, ...rows);
  return url;
};
const open = async (url: string) => {
  const lines: string[] = [];
  const store = await openStore(url, catalogue, { report: (line) => lines.push(line.replace(/^\S+: /, '')) });
  return { store, lines };
};
const all = (url: string) =>
  run(url, 'SELECT identifier AS key, _revision FROM cars UNION ALL SELECT type, _revision FROM oils');

test('is upgraded: the items have their keys without them, and what is nested in them', async () => {
  const url = await databaseWith(car(' K-1\u00a0', 9001), oil(' K-1\u00a0', ' 5W-30', 9002), car('K-2 ', 9003));
  const { store, lines } = await open(url);
  expect(lines).toContain(
    'the upgrade takes blanks away from the ends of keys: cars " K-1\u00a0", cars "K-2 ", oils " 5W-30"',
  );
  if (!onServer) expect(lines[0]).toContain('.version-5 before its upgrade from version 5 of the schema to 6');
  expect((await getItem(store, cars, ['K-1']))?.[1]).toBe('K-1');
  expect((await getItem(store, oils, ['K-1', '5W-30']))?.[1]).toBe('5W-30');
  const byKey = queryOf(cars, { filters: { identifier: ['k-2'] } });
  expect(await summarize(store, cars, [], byKey)).toMatchObject({ total: 1 });
  await store.close();
  // A mirror reads the list again.
  const positions =
    'SELECT CASE WHEN CAST(t.key AS bigint) = c.number THEN 1 END AS are_gone FROM _tombstones AS t, _change AS c';
  expect(await run(url, positions)).toEqual([{ are_gone: 1 }]);
  expect(await run(url, 'SELECT _identifier FROM cars WHERE _created = 9001')).toEqual([{ _identifier: 'k-1' }]);
  if (!onServer) expect(verify(givenOn(url))).toBe(0);
  const again = await open(url);
  expect(again.lines).toEqual([]);
  await again.store.close();
});

test.each([
  ['two that differ by blanks alone', [car('K-1', 9001), car(' K-1', 9002)], 'cars " K-1", cars "K-1"'],
  ['none without blanks', [car('  ', 9001)], 'cars "  "'],
  ['one that no path can have', [car(' ..', 9001)], 'cars " .."'],
  ['two nested ones', [car('K-1', 9001), oil('K-1', 'x', 9002), oil('K-1', 'x ', 9003)], 'oils "x", oils "x "'],
])('is left as it is if keys would be %s', async (_, rows, listed) => {
  const url = await databaseWith(...rows);
  const before = await all(url);
  await expect(open(url)).rejects.toThrow(`${listed}; `);
  expect(await all(url)).toEqual(before);
  if (onServer) return;
  expect(await run(url, 'PRAGMA user_version')).toEqual([{ user_version: 5 }]);
  expect(existsSync(`${pathOf(url)}.version-5`)).toBe(true);
});

test('a field that refers to such a key refers to the one without blanks', async () => {
  const url = await databaseWith(
    car(' K-1', 9001),
    "UPDATE cars SET model = ' K-1', _model = ' k-1' WHERE _created = 9001",
  );
  const referring = carsWith({ model: reference('makes') }, collection('makes', specsOf(catalogue, 'oils')));
  await (await openStore(url, referring)).close();
  expect(await run(url, 'SELECT model, _model FROM cars WHERE _created = 9001')).toEqual([
    { model: 'K-1', _model: 'k-1' },
  ]);
});
