/** A database of a version that left blanks at the ends of keys. */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collection, defineCatalogue } from '../../../../src/gateway/model/catalogue.ts';
import { reference } from '../../../../src/gateway/model/fields.ts';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { verify } from '../../../../src/tools/verify/verify.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { givenOn } from '../../../support/commands/given.ts';
import { cars, oils, queryOf } from '../../../support/conformance/fixtures.ts';
import { inFile } from '../../../support/database/files.ts';
import { fileOf } from '../../../support/database/make-catalogue-file.ts';
import { getItem, summarize } from '../../../support/database/reads.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

const car = (key: string, number: number): string =>
  `INSERT INTO cars (_created, _revision, identifier, _identifier, brand, _brand, model, _model) VALUES (${number}, ${number}, '${key}', '${key.toLowerCase()}', 'Seat', 'seat', 'Ibiza', 'ibiza')`;
const oil = (parent: string, key: string, number: number): string =>
  `INSERT INTO oils (_created, _revision, _parent, type, _type) VALUES (${number}, ${number}, '${parent}', '${key}', '${key.toLowerCase()}')`;

/** @returns a file of version 5 with more rows */
const fileWith = (...rows: readonly string[]): string => {
  const file = join(temporaryFolder(), 'cars.db');
  copyFileSync(fileOf(5, 'db'), file);
  inFile(file, ...rows);
  return file;
};
const open = async (file: string) => {
  const lines: string[] = [];
  const store = await openStore(`sqlite:${file}`, catalogue, {
    report: (line) => lines.push(line.slice(file.length + 2)),
  });
  return { store, lines };
};
const all = (file: string): unknown =>
  inFile(file, 'SELECT identifier, _revision FROM cars UNION ALL SELECT type, _revision FROM oils');

test('is upgraded: the items have their keys without them, and what is nested in them', async () => {
  const file = fileWith(car(' K-1\u00a0', 9001), oil(' K-1\u00a0', ' 5W-30', 9002), car('K-2 ', 9003));
  const { store, lines } = await open(file);
  expect(lines.slice(0, 2)).toEqual([
    expect.stringContaining('.version-5 before its upgrade from version 5 of the schema to 6'),
    'the upgrade takes blanks away from the ends of keys: cars " K-1\u00a0", cars "K-2 ", oils " 5W-30"',
  ]);
  expect((await getItem(store, cars, ['K-1']))?.[1]).toBe('K-1');
  expect((await getItem(store, oils, ['K-1', '5W-30']))?.[1]).toBe('5W-30');
  expect(await summarize(store, cars, [], queryOf(cars, { filters: { identifier: ['k-2'] } }))).toMatchObject({
    total: 1,
  });
  // A mirror reads the list again.
  await store.close();
  const positions = 'SELECT CAST(t.key AS INTEGER) = c.number AS are_gone FROM _tombstones AS t, _change AS c';
  expect(inFile(file, positions)).toEqual([{ are_gone: 1 }]);
  expect(inFile(file, 'SELECT _identifier FROM cars WHERE _created = 9001')).toEqual([{ _identifier: 'k-1' }]);
  expect(verify(givenOn(`sqlite:${file}`))).toBe(0);
  const again = await open(file);
  expect(again.lines).toEqual([]);
  await again.store.close();
});

test.each([
  ['two that differ by blanks alone', [car('K-1', 9001), car(' K-1', 9002)], 'cars " K-1", cars "K-1"'],
  ['none without blanks', [car('  ', 9001)], 'cars "  "'],
  ['one that no path can have', [car(' ..', 9001)], 'cars " .."'],
  ['two nested ones', [car('K-1', 9001), oil('K-1', 'x', 9002), oil('K-1', 'x ', 9003)], 'oils "x", oils "x "'],
])('is left as it is if keys would be %s', async (_, rows, listed) => {
  const file = fileWith(...rows);
  const before = all(file);
  await expect(open(file)).rejects.toThrow(`${listed}; `);
  expect([all(file), inFile(file, 'PRAGMA user_version')]).toEqual([before, [{ user_version: 5 }]]);
  expect(existsSync(`${file}.version-5`)).toBe(true);
});

test('a field that refers to such a key refers to the one without blanks', async () => {
  const file = fileWith(car(' K-1', 9001), "UPDATE cars SET model = ' K-1', _model = ' k-1' WHERE _created = 9001");
  const specs = ({ fields }: typeof cars) => Object.fromEntries(fields.map(({ name, ...spec }) => [name, spec]));
  const referring = defineCatalogue(
    collection('cars', { ...specs(cars), model: reference('makes') }, collection('oils', specs(oils))),
    collection('makes', specs(oils)),
  );
  await (await openStore(`sqlite:${file}`, referring)).close();
  const [row] = inFile(file, 'SELECT model, _model FROM cars WHERE _created = 9001');
  expect(row).toEqual({ model: 'K-1', _model: 'k-1' });
});
