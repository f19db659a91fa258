import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { prepareDatabase } from '../../../src/store/sqlite/schema.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { cars, carsListed, createCar } from '../../support/conformance/fixtures.ts';
import { importLines, outcomeText } from '../../support/conformance/imports/import-rows.ts';
import { snapshotConformance, storeConformance } from '../../support/conformance/store-conformance.ts';
import { openForTest } from '../../support/database/database.ts';
import { getItem } from '../../support/database/reads.ts';
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

  test('of another process that is killed is read here at once, and has all that it acknowledged', async () => {
    const file = newFile();
    const store = await openFile(file);
    const script = fileURLToPath(new URL('../../support/database/other-process.ts', import.meta.url));
    const keys: string[] = [];
    for (const round of [0, 1, 2]) {
      const other = fork(script, [`sqlite:${file}`], { execArgv: [] });
      await once(other, 'message');
      for (const key of [0, 1, 2, 3, 4].map((at) => `${round}-${at}`)) {
        expect(await getItem(store, cars, [key])).toBeUndefined();
        other.send(key);
        expect(await once(other, 'message')).toEqual(['written', undefined]);
        keys.push(key);
        expect(await carsListed(store)).toEqual(keys);
        expect((await getItem(store, cars, [key]))?.[1]).toBe(key);
      }
      const ended = once(other, 'exit');
      other.kill('SIGKILL');
      await ended;
    }
    expect(await carsListed(store)).toEqual(keys);
    await store.close();
    const again = await openFile(file);
    expect(await carsListed(again)).toEqual(keys);
    await again.close();
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
});

/** Place of a thread's priority in its `stat`, after its name (proc(5)). */
const NICE = 16;

const threads = (): readonly string[] => readdirSync('/proc/self/task');
const priorityOf = (thread: string): number => {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[NICE]);
};

test.runIf(process.platform === 'linux')('the thread that writes lets the event loop go first', async () => {
  const own = getPriority();
  const before = threads();
  const store = await openForTest(`sqlite:${join(temporaryFolder(), 'catalogue.db')}`);
  await createCar(store, 'a');
  const begun = threads().filter((thread) => !before.includes(thread));
  expect(begun.map(priorityOf).filter((each) => each > own)).toHaveLength(1);
  expect(getPriority()).toBe(own);
});
