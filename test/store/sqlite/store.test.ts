import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/gateway/model/field.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { prepareDatabase } from '../../../src/store/sqlite/schema.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import {
  cars,
  carsListed,
  createCar,
  createMany,
  createOil,
  oils,
  queryOf,
  remove,
  revisionOf,
  rowOf,
} from '../../support/conformance/fixtures.ts';
import { importLines, outcomeText } from '../../support/conformance/imports/import-rows.ts';
import { snapshotConformance, storeConformance } from '../../support/conformance/store-conformance.ts';
import { toCells } from '../../support/database/cells.ts';
import { getItem, openList, summarize } from '../../support/database/reads.ts';
import { temporaryFolder, type WhenOver } from '../../support/process/folder.ts';

const newFile = (whenOver?: WhenOver): string => join(temporaryFolder(whenOver), 'catalogue.db');
const openFile = (file: string) => openStore(`sqlite:${file}`, catalogue);
const openNew = (whenOver?: WhenOver) => openFile(newFile(whenOver));

storeConformance('in memory', () => openStore('sqlite::memory:', catalogue));
storeConformance('in a file', openNew, 10);
snapshotConformance('in a file', openNew, 32);

describe('a file', () => {
  test('is made with the folders around it', async () => {
    const file = join(temporaryFolder(), 'a', 'b c', 'é.db');
    await (await openFile(file)).close();
    expect(existsSync(file)).toBe(true);
  });

  test('keeps a write-ahead log, and is one file once it is closed', async () => {
    const file = newFile();
    const store = await openFile(file);
    const other = new DatabaseSync(file, { readOnly: true });
    expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    other.close();
    await createCar(store, 'a');
    await store.close();
    expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false]);
  });

  test('is flushed to the disk at every commit, with foreign keys enforced', () => {
    const connection = connect(newFile());
    prepareDatabase(connection, catalogue);
    const FULL = 2;
    expect(connection.row('PRAGMA synchronous', [])).toEqual([FULL]);
    expect(connection.row('PRAGMA foreign_keys', [])).toEqual([1]);
    connection.close();
  });

  test('survives close and reopen, its numbers going on', async () => {
    const file = newFile();
    const before = await openFile(file);
    const row = rowOf(await createCar(before, 'a', { year: 2008, clima: 0, version: 'É' }));
    const oil = rowOf(await createOil(before, 'a', '10W/40'));
    await createCar(before, 'b');
    await remove(before, cars, ['b']);
    const summary = await summarize(before, cars, [], queryOf(cars, {}));
    await before.close();

    const after = await openFile(file);
    expect(await getItem(after, cars, ['a'])).toEqual(row);
    expect(await getItem(after, oils, ['a', '10W/40'])).toEqual(oil);
    expect(await summarize(after, cars, [], queryOf(cars, {}))).toEqual(summary);
    expect(revisionOf(await createCar(after, 'b'))).toBeGreaterThan(summary?.change ?? Infinity);
    await after.close();
  });

  test('keeps what was written before a process that never closed it', async () => {
    const file = newFile();
    const abandoned = await openFile(file);
    await createCar(abandoned, 'a');
    const next = await openFile(file);
    expect(await carsListed(next)).toEqual(['a']);
    await next.close();
    await abandoned.close();
  });

  test('serves two stores, which see each other and never give a number twice', async () => {
    const file = newFile();
    const stores = await Promise.all([openFile(file), openFile(file)]);
    const revisions: number[] = [];
    for (const round of [0, 1, 2]) {
      for (const [at, store] of stores.entries()) revisions.push(revisionOf(await createCar(store, `${round}-${at}`)));
    }
    expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
    const [left, right] = await Promise.all(stores.map((store) => carsListed(store)));
    expect(left).toEqual(right);
    expect(left).toHaveLength(6);
    const both = await Promise.all(stores.map((store) => createCar(store, 'same')));
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['already-exists', 'written']);
    for (const store of stores) await store.close();
  });

  test('takes rows beside another program, which takes the next number and no change number', async () => {
    const file = newFile();
    const store = await openFile(file);
    await createCar(store, 'a');
    const other = new DatabaseSync(file);
    // As after an import of many rows, each of which takes a number: the clock comes behind.
    other.exec('UPDATE _change SET number = number + 1000000');
    const insert = (key: string): void =>
      other.exec(
        `INSERT INTO cars (_created, _revision, identifier) SELECT max(number, max(_created)) + 1, 1, '${key}' FROM cars, _change`,
      );
    insert('b');
    expect(await createCar(store, 'c')).toMatchObject({ kind: 'written' });
    const line = { identifier: 'e', brand: 'Seat', model: 'Ibiza' };
    expect(outcomeText(await importLines(store, [line, async () => insert('d')]))).toBe('imported, created 1');
    expect(other.prepare('SELECT group_concat(identifier) AS "keys" FROM cars').get()).toEqual({ keys: 'a,b,c,d,e' });
    other.close();
    await store.close();
  });

  test('closes while a long list is open', async () => {
    const store = await openNew();
    await createMany(store);
    const listing = await openList(store, cars, [], queryOf(cars, {}));
    await listing?.chunks.next();
    await store.close();
    expect(await listing?.chunks.return?.()).toMatchObject({ done: true });
  });
});

describe('a write that fails', () => {
  test('leaves its neighbours in the same transaction alone', async () => {
    const store = await openStore('sqlite::memory:', catalogue);
    const noCell = Symbol('no cell') as unknown as Cell;
    const bad = { brand: 'Seat', model: 'Ibiza', identifier: 'bad', year: noCell };
    const settled = await Promise.allSettled([
      createCar(store, 'a'),
      store.write({ kind: 'create', collection: 'cars', parents: [], cells: toCells(cars, bad) }),
      createCar(store, 'b'),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await carsListed(store)).toEqual(['a', 'b']);
    await store.close();
  });
});
