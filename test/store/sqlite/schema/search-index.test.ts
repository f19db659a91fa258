/** The index of words beside processes that know nothing of it. */
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Intent } from '../../../../src/gateway/port/port.ts';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { statement } from '../../../../src/store/sql/statement.ts';
import { connect } from '../../../../src/store/sqlite/connection.ts';
import { makeSearchIndex, prepareDatabase } from '../../../../src/store/sqlite/schema.ts';
import { Committer } from '../../../../src/store/sqlite/writes.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { cars, carsListed, createCar, inPortions } from '../../../support/conformance/fixtures.ts';
import { toCells, toChanges } from '../../../support/database/cells.ts';
import { openForTest } from '../../../support/database/database.ts';
import { pathOf, sqliteUrl } from '../../../support/database/files.ts';
import { codesBetween, expectTerms, textWith } from '../../../support/database/index-words.ts';

const NONE = `DROP TRIGGER cars_search_insert; DROP TRIGGER cars_search_update; DROP TRIGGER cars_search_delete;
  DROP TABLE cars_search`;

/** Compares the index with every row. */
const CHECK = `INSERT INTO cars_search (cars_search, rank) VALUES ('integrity-check', 1)`;

const fileWith = async (rows: number): Promise<string> => {
  const file = pathOf(sqliteUrl());
  const store = await openStore(`sqlite:${file}`, catalogue);
  await inPortions(rows, (at) => createCar(store, `car-${at}`, { version: `v${at} tdi` }));
  await store.close();
  return file;
};

const change = (file: string, sql: string): void => {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
};

test('is made for the rows of an older version, which is told', async () => {
  const file = await fileWith(30);
  change(file, NONE);
  const lines: string[] = [];
  const store = await openForTest(`sqlite:${file}`, { report: (line) => lines.push(line) });
  expect(lines).toEqual([expect.stringMatching(/the upgrade makes the index of words "cars_search"$/)]);
  expect([await carsListed(store, { search: 'v7' }), (await carsListed(store, { search: 'tdi' })).length]).toEqual([
    ['car-7'],
    30,
  ]);
});

test('is right after what an older version writes meanwhile, and after VACUUM', async () => {
  const file = await fileWith(3);
  const store = await openForTest(`sqlite:${file}`);
  change(
    file,
    `UPDATE cars SET version = 'Élan', _version = 'elan' WHERE identifier = 'car-0'; DELETE FROM cars WHERE identifier = 'car-1';
     INSERT INTO cars SELECT max(_created) + 1, max(_revision) + 1, 'new', 'B', 'M', 1, 1, 1, 'élan 2', 1, 1, 'x', 'new', 'b', 'm', 'elan 2', 'x' FROM cars`,
  );
  expect(await carsListed(store, { search: 'elan' })).toEqual(['car-0', 'new']);
  expect(await carsListed(store, { search: 'v1' })).toEqual([]);
  change(file, `VACUUM; ${CHECK}`);
  expect(await carsListed(store, { search: 'elan' })).toEqual(['car-0', 'new']);
});

test('is made anew where triggers of a version before this one kept it in steps, and only once', async () => {
  const file = await fileWith(30);
  change(file, `CREATE TABLE _search (collection TEXT, "from" INTEGER); ${NONE.replace('DROP TABLE cars_search', '')}`);
  change(file, `UPDATE cars SET _version = 'other' WHERE identifier = 'car-3'`);
  const lines: string[] = [];
  for (let start = 0; start < 2; start++) {
    const store = await openStore(`sqlite:${file}`, catalogue, { report: (line) => lines.push(line) });
    expect([await carsListed(store, { search: 'other' }), (await carsListed(store, { search: 'tdi' })).length]).toEqual(
      [['car-3'], 29],
    );
    await store.close();
  }
  expect(lines).toHaveLength(1);
  change(file, CHECK);
  const database = new DatabaseSync(file);
  expect(database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = '_search'`).all()).toEqual([]);
  database.close();
});

const create = (key: string): Intent => ({
  kind: 'create',
  collection: 'cars',
  parents: [],
  cells: toCells(cars, { identifier: key, brand: 'B', model: 'M', version: `v${key}` }),
});

test('is right after a transaction that creates many rows, whatever else it does', () => {
  const connection = connect(':memory:');
  onTestFinished(() => connection.close());
  prepareDatabase(connection, catalogue);
  const { commit } = new Committer(connection, catalogue);
  const rename = (key: string): Intent => ({
    kind: 'update',
    collection: 'cars',
    keys: [key],
    changes: toChanges(cars, { version: `w${key}` }),
  });
  const remove = (key: string): Intent => ({ kind: 'remove', collection: 'cars', keys: [key] });
  const many = (name: string) => Array.from({ length: 6 }, (_, at) => create(`${name}${at}`));
  commit(many('old'));
  commit([...many('new'), rename('old1'), rename('new1'), remove('old2'), remove('new2'), create('new2')]);
  connection.exec(CHECK);
  const found = (word: string) => connection.rows(statement('SELECT rowid FROM cars_search(?)', [word])).length;
  expect(['wold1', 'wnew1', 'vold1', 'vnew1', 'vold2', 'vnew2', 'vnew3'].map(found)).toEqual([1, 1, 0, 0, 0, 1, 1]);
  expect(connection.rows(statement('SELECT * FROM _searchLater'))).toEqual([]);
});

test('is right after many rows are created behind one of another program, which takes no change number', () => {
  // A number of creation is one of milliseconds, times 256: the other program takes the next one of the same millisecond.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const connection = connect(':memory:');
  onTestFinished(() => connection.close());
  prepareDatabase(connection, catalogue);
  const { commit } = new Committer(connection, catalogue);
  const found = () => connection.rows(statement('SELECT rowid FROM cars_search(?)', ['v*'])).length;
  commit([create('a')]);
  for (const [key, ahead] of [
    ['near', 1],
    ['far', 2 ** 50],
  ] as const) {
    connection.run(
      `INSERT INTO cars (_created, _revision, identifier, _version) SELECT max(_created) + ?, 0, ?, 'v' FROM cars`,
      [ahead, key],
    );
    const before = found();
    vi.advanceTimersByTime(1);
    commit(Array.from({ length: 5 }, (_, at) => create(`${key}-${at}`)));
    connection.exec(CHECK);
    expect(found()).toBe(before + 5);
  }
});

test('cuts words as they are cut everywhere, whatever stands between two letters', () => {
  const connection = connect(':memory:');
  onTestFinished(() => connection.close());
  connection.exec('CREATE TABLE cars (_created INTEGER PRIMARY KEY, _identifier, _brand, _model, _version, _fuel)');
  makeSearchIndex(connection, cars);
  const codes = codesBetween(1, 61);
  connection.exec('BEGIN');
  for (const code of codes) connection.run('INSERT INTO cars (_created, _brand) VALUES (?, ?)', [code, textWith(code)]);
  connection.exec(`COMMIT; CREATE VIRTUAL TABLE words USING fts5vocab(cars_search, 'instance')`);
  const found = Map.groupBy(
    connection.rows<[number, string]>({ sql: 'SELECT doc, term FROM words', values: [] }),
    ([doc]) => doc,
  );
  expectTerms(codes, (code) => found.get(code)?.map(([, term]) => term));
});
