import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import {
  AHEAD,
  cars,
  carsListed,
  createCar,
  createMany,
  queryOf,
  revisionOf,
} from '../../support/conformance/fixtures.ts';
import { openList } from '../../support/database/reads.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

/** Milliseconds that a write waits for a lock. */
const GIVE_UP_MS = 5_000;

let file: string;
let store: Store;
/** Another process, as far as SQLite can tell. */
let other: DatabaseSync;

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

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('while another connection holds the lock', () => {
  test('writes wait, the event loop turns, and they succeed when the lock goes', async () => {
    other.exec('BEGIN IMMEDIATE');
    let settled = 0;
    const writes = ['a', 'b'].map((key) => createCar(store, key).finally(() => settled++));
    for (let at = 0; at < 100; at++) await turn();
    expect(settled).toBe(0);
    other.exec('COMMIT');
    const made = await Promise.all(writes);
    expect(made.map(({ kind }) => kind)).toEqual(['written', 'written']);
  });

  test('what it wrote counts: its change number is never given again', async () => {
    other.exec('BEGIN IMMEDIATE');
    const write = createCar(store, 'a');
    await turn();
    other.exec(`UPDATE "_change" SET "number" = ${AHEAD}; COMMIT`);
    expect(revisionOf(await write)).toBe(AHEAD + 1);
  });

  test('reads go on', async () => {
    await createCar(store, 'a');
    other.exec('BEGIN IMMEDIATE');
    expect([await carsListed(store), await store.ready()]).toEqual([['a'], true]);
    other.exec('COMMIT');
  });

  test('a write is given up with "unavailable" when its patience ends, and the next one succeeds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    other.exec('BEGIN IMMEDIATE');
    const ends: string[] = [];
    const write = createCar(store, 'a').catch((problem: { code: string }) => ends.push(problem.code));
    // In the last tenth no commit is begun any more.
    vi.advanceTimersByTime(0.9 * GIVE_UP_MS - 100);
    for (let at = 0; at < 1_000; at++) await turn();
    expect(ends).toEqual([]);
    vi.advanceTimersByTime(200);
    await write;
    expect(ends).toEqual(['unavailable']);
    other.exec('COMMIT');
    expect((await createCar(store, 'a')).kind).toBe('written');
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
});

describe('another connection', () => {
  test('writes while a long list is open here', async () => {
    await createMany(store);
    const listing = await openList(store, cars, [], queryOf(cars, {}));
    await listing?.chunks.next();
    other.exec('BEGIN IMMEDIATE; UPDATE "_change" SET "number" = "number" + 1; COMMIT');
    await listing?.chunks.return?.();
  });
});
