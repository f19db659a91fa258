/**
 * POSIX gives up every lock that a process holds on a file as soon as it closes any descriptor of it. So nothing here may open
 * and close a live database's file, log or index but SQLite, which knows.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { EVERYTHING } from '../../../src/gateway/model/query.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import { verify } from '../../../src/tools/verify/verify.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { givenOn, refusal } from '../../support/commands/given.ts';
import { cars, createCar } from '../../support/conformance/fixtures.ts';
import { getItem, summarize } from '../../support/database/reads.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

/** @returns what another process that does this to the database is told */
const elsewhere = (file: string, sql: string): string => {
  const script = `
    const database = new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: 0 });
    try { database.exec(process.argv[2]); process.stdout.write('done'); }
    catch (error) { process.stdout.write(error.message); }
    database.close();`;
  return spawnSync(process.execPath, ['-e', script, file, sql], { encoding: 'utf8' }).stdout;
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
  expect(elsewhere(file, WRITE)).toBe('database is locked');
  await store.close();
  expect(elsewhere(file, WRITE)).toBe('database is locked');
  holder.exec('COMMIT');
  expect(elsewhere(file, WRITE)).toBe('done');
});

test('a store that looks at its database does so too', async () => {
  const { file, store, holder } = await shared();
  getItem(store, cars, ['none']);
  holder.exec('BEGIN IMMEDIATE');
  expect(await getItem(store, cars, ['none'])).toBeUndefined();
  expect(elsewhere(file, WRITE)).toBe('database is locked');
  holder.exec('UPDATE "_change" SET "number" = "number" + 1; COMMIT');
  expect((await summarize(store, cars, [], EVERYTHING))?.change).toBeGreaterThan(0);
});

test('opening and closing another store keeps the log from a process that ends', async () => {
  const { file } = await shared();
  const other = await openStore(`sqlite:${file}`, catalogue);
  expect(elsewhere(file, READ)).toBe('done');
  await other.close();
  // Whoever believes to be the last one to close a database takes its log away.
  expect(elsewhere(file, READ)).toBe('done');
  expect(existsSync(`${file}-wal`)).toBe(true);
});

test('a verification leaves this process the lock that another connection writes under', async () => {
  const { file, store, holder } = await shared();
  await store.close();
  // Without a log, writers lock the file itself.
  holder.exec('PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE');
  expect(elsewhere(file, WRITE)).toBe('database is locked');
  expect(await refusal((async () => verify(givenOn(`sqlite:${file}`)))())).toBe('file-unusable');
  expect(elsewhere(file, WRITE)).toBe('database is locked');
});
