import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EVERYTHING } from '../../../src/gateway/model/query.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { verify } from '../../../src/tools/verify/verify.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { givenOn, refusal } from '../../support/commands/given.ts';
import {
  AHEAD,
  cars,
  carsListed,
  createCar,
  createMany,
  openCars,
  revisionOf,
} from '../../support/conformance/fixtures.ts';
import { getItem, summarize } from '../../support/database/reads.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

/** Milliseconds that a write waits for a lock. */
const GIVE_UP_MS = 5_000;

let file: string;
let store: Store;
/** Another process, as far as SQLite can tell. */
let other: DatabaseSync;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('while another connection holds the lock', () => {
  beforeEach(async () => {
    file = join(temporaryFolder(), 'catalogue.db');
    store = await openStore(`sqlite:${file}`, catalogue);
    other = new DatabaseSync(file, { timeout: 0 });
  });
  afterEach(async () => {
    vi.useRealTimers();
    other.close();
    await store.close();
  });

  test('writes wait, the event loop turns and reads go on; what the other has written counts once its lock goes', async () => {
    await createCar(store, 'before');
    other.exec('BEGIN IMMEDIATE');
    let settled = 0;
    const writes = ['a', 'b'].map((key) => createCar(store, key).finally(() => settled++));
    for (let at = 0; at < 100; at++) await turn();
    expect([settled, await carsListed(store), await store.ready()]).toEqual([0, ['before'], true]);
    other.exec(`UPDATE "_change" SET "number" = ${AHEAD}; COMMIT`);
    expect((await Promise.all(writes)).map(revisionOf)).toEqual([AHEAD + 1, AHEAD + 2]);
  });

  test('more writes than one transaction holds are all given up when their patience ends', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    other.exec('BEGIN IMMEDIATE');
    const writes = Promise.allSettled(Array.from({ length: 600 }, (_, at) => createCar(store, `car-${at}`)));
    vi.advanceTimersByTime(GIVE_UP_MS + 100);
    const ends = await writes;
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(600);
    other.exec('COMMIT');
    expect(await carsListed(store)).toEqual([]);
  });

  test('closing gives up what waits, and nothing is written', async () => {
    other.exec('BEGIN IMMEDIATE');
    const write = createCar(store, 'a');
    await turn();
    const end = expect(write).rejects.toMatchObject({ code: 'unavailable' });
    await store.close();
    await end;
    other.exec('COMMIT');
    expect(other.prepare('SELECT count(*) AS count FROM "cars"').get()).toEqual({ count: 0 });
  });

  test('another connection writes while a long list is open here', async () => {
    await createMany(store);
    const { chunks } = await openCars(store);
    await chunks.next();
    other.exec('BEGIN IMMEDIATE; UPDATE "_change" SET "number" = "number" + 1; COMMIT');
    await chunks.return?.();
  });
});

/**
 * POSIX gives up every lock that a process holds on a file as soon as it closes any descriptor of it. So nothing here may open
 * and close a live database's file, log or index but SQLite, which knows.
 */

let helper: ChildProcess | undefined;
afterAll(() => void helper?.kill());
/** @returns what another process that does this to the database is told */
const elsewhere = async (file: string, sql: string): Promise<unknown> => {
  const script = `process.on('message', ([file, sql]) => {
    const database = new (require('node:sqlite').DatabaseSync)(file, { timeout: 0 });
    let told = 'done';
    try { database.exec(sql); } catch (error) { told = error.message; }
    database.close();
    process.send(told);
  })`;
  helper ??= spawn(execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const told = once(helper, 'message');
  helper.send([file, sql]);
  return (await told)[0];
};
const WRITE = 'BEGIN IMMEDIATE; COMMIT';
const READ = 'SELECT count(*) FROM "cars"';

/** A database with a car in its log, and a connection of this process beside the service's. */
const shared = async () => {
  const file = join(temporaryFolder(), 'cars.db');
  const store = await openStore(`sqlite:${file}`, catalogue);
  await createCar(store, 'a');
  const holder = new DatabaseSync(file, { timeout: 0 });
  holder.prepare(READ).get();
  onTestFinished(() => {
    if (holder.isOpen) holder.close();
    return store.close();
  });
  return { file, store, holder };
};

test('a store that closes leaves this process the lock that another connection writes under', async () => {
  const { file, store, holder } = await shared();
  holder.exec('BEGIN IMMEDIATE');
  expect(await elsewhere(file, WRITE)).toBe('database is locked');
  await store.close();
  expect(await elsewhere(file, WRITE)).toBe('database is locked');
  holder.exec('COMMIT');
  expect(await elsewhere(file, WRITE)).toBe('done');
});

test('a store that looks at its database does so too', async () => {
  const { file, store, holder } = await shared();
  getItem(store, cars, ['none']);
  holder.exec('BEGIN IMMEDIATE');
  expect(await getItem(store, cars, ['none'])).toBeUndefined();
  expect(await elsewhere(file, WRITE)).toBe('database is locked');
  holder.exec('UPDATE "_change" SET "number" = "number" + 1; COMMIT');
  expect((await summarize(store, cars, [], EVERYTHING))?.change).toBeGreaterThan(0);
});

test('opening and closing another store keeps the log from a process that ends', async () => {
  const { file } = await shared();
  const other = await openStore(`sqlite:${file}`, catalogue);
  expect(await elsewhere(file, READ)).toBe('done');
  await other.close();
  // Whoever believes to be the last one to close a database takes its log away.
  expect(await elsewhere(file, READ)).toBe('done');
  expect(existsSync(`${file}-wal`)).toBe(true);
});

test('a verification leaves this process the lock that another connection writes under', async () => {
  const { file, store, holder } = await shared();
  await store.close();
  // Without a log, writers lock the file itself.
  holder.exec('PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE');
  expect(await elsewhere(file, WRITE)).toBe('database is locked');
  expect(await refusal((async () => verify(givenOn(`sqlite:${file}`)))())).toBe('file-unusable');
  expect(await elsewhere(file, WRITE)).toBe('database is locked');
});
