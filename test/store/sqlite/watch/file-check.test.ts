/** A look at the file while the database itself cannot be asked, as while another process recovers its log. */
import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { connect } from '../../../../src/store/sqlite/connection/connection.ts';
import { fileCheck } from '../../../../src/store/sqlite/watch/file-check.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { createCar } from '../../../support/conformance/fixtures.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

/** Bytes. */
const PAGE = 4_096;

const open = async () => {
  const path = join(temporaryFolder(), 'cars.db');
  const another = join(temporaryFolder(), 'cars.db');
  await (await openStore(`sqlite:${another}`, catalogue)).close();
  const store = await openStore(`sqlite:${path}`, catalogue);
  const main = connect(path);
  onTestFinished(async () => {
    main.close();
    await store.close();
  });
  let isBusy = false;
  const check = fileCheck(path, {
    ...main,
    row: (sql, values) => {
      if (isBusy) throw Object.assign(new Error('the database is locked'), { errcode: 5 });
      return main.row(sql, values);
    },
  });
  const fold = async (): Promise<void> => {
    await createCar(store, 'c4');
    main.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  };
  // In another process: this one would lose its locks on what it opens.
  const overwrite = (): void => void execFileSync('cp', [another, path]);
  return {
    path,
    check,
    fold,
    overwrite,
    setBusy: (is: boolean) => {
      isBusy = is;
    },
  };
};

test('nothing is wrong until the database can be asked', async () => {
  const { check, fold, setBusy } = await open();
  setBusy(true);
  await fold();
  expect(check()).toBeUndefined();
  setBusy(false);
  expect(check()).toBeUndefined();
});

/** The pages that the first checkpoint of a new database writes. */
const firstCheckpoint = (path: string): Buffer => {
  // All that a new database has is in its log.
  expect(statSync(path).size).toBe(PAGE);
  const whole = join(temporaryFolder(), 'cars.db');
  for (const end of ['', '-wal']) copyFileSync(path + end, whole + end);
  const other = connect(whole);
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  return readFileSync(whole);
};

test('a checkpoint that is under way is no fault', async () => {
  const { path, check } = await open();
  const pages = firstCheckpoint(path);
  const file = openSync(path, 'r+');
  for (let part = 1; part <= pages.length / PAGE; part++) {
    writeSync(file, pages, 0, part * PAGE, 0);
    // Three times: on a busy machine it stands still for longer than a check takes.
    for (let time = 1; time <= 3; time++) expect([part, check()]).toEqual([part, undefined]);
  }
  closeSync(file);
  expect(check()).toBeUndefined();
});

test('a new database that stays damaged is a fault in the end', async () => {
  const { path, check } = await open();
  const file = openSync(path, 'r+');
  writeSync(file, firstCheckpoint(path), 0, 2 * PAGE, 0);
  closeSync(file);
  const told = Array.from({ length: 20 }, check);
  expect(told.map((each) => each?.slice(0, 3))).toEqual([...Array(19), 'was']);
});

test('what is wrong is told as soon as it can be asked', async () => {
  const { check, overwrite, setBusy } = await open();
  setBusy(true);
  overwrite();
  expect(check()).toBeUndefined();
  setBusy(false);
  expect(check()).toMatch(/^was overwritten by another program/);
});
