/** A process can end at any moment, also while it folds its log into its file: nothing that was acknowledged is lost. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import {
  cars,
  carsListed,
  createCar,
  createOil,
  inPortions,
  oils,
  readList,
} from '../../support/conformance/fixtures.ts';
import type { Change } from '../../support/database/changes.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

const CARS = 300;
const keyAt = (at: number): string => `car-${at}`;
const keys = Array.from({ length: CARS }, (_, at) => keyAt(at));
const log = (file: string): string => `${file}-wal`;

/** A database whose commits are all in its log, as a process that is gone has left it. */
const leftBehind = async (): Promise<string> => {
  const folder = temporaryFolder();
  const [open, left] = [join(folder, 'open.db'), join(folder, 'left.db')];
  const store = await openStore(`sqlite:${open}`, catalogue);
  await inPortions(CARS, (at) => createCar(store, keyAt(at), { version: 'x'.repeat(150) }));
  await createOil(store, 'car-7', '5W-30');
  copyFileSync(open, left);
  copyFileSync(log(open), log(left));
  await store.close();
  return left;
};

const expectWhole = async (file: string): Promise<void> => {
  const store = await openStore(`sqlite:${file}`, catalogue);
  expect(await readList(store, cars, [])).toMatchObject({ total: CARS, change: expect.any(Number) });
  expect(await carsListed(store)).toEqual(keys);
  expect(await readList(store, oils, ['car-7'])).toMatchObject({ total: 1 });
  expect((await createCar(store, 'new')).kind).toBe('written');
  await store.close();
  expect(existsSync(log(file))).toBe(false);
};

interface Checkpointed {
  readonly pages: Buffer;
  readonly pageSize: number;
}

/** What a file becomes once its log is folded in. */
const checkpointed = (file: string): Checkpointed => {
  const copy = `${file}.whole`;
  copyFileSync(file, copy);
  copyFileSync(log(file), log(copy));
  const database = new DatabaseSync(copy);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const pageSize = Number(database.prepare('PRAGMA page_size').get()?.page_size);
  database.close();
  return { pages: readFileSync(copy), pageSize };
};

test('opens with all that only its log holds', async () => {
  const file = await leftBehind();
  expect(statSync(log(file)).size).toBeGreaterThan(statSync(file).size);
  await expectWhole(file);
});

/** How much of the log was folded in when the process ended. */
const tears: readonly (readonly [what: string, torn: (left: Buffer, whole: Checkpointed) => Buffer])[] = [
  [
    'the first page',
    (left, { pages, pageSize }) => Buffer.concat([pages.subarray(0, pageSize), left.subarray(pageSize)]),
  ],
  [
    'the first half',
    (left, { pages, pageSize }) => {
      const half = Math.floor(pages.length / pageSize / 2) * pageSize;
      // What an earlier checkpoint has written stays there.
      return Buffer.concat([pages.subarray(0, half), left.subarray(half)]);
    },
  ],
  [
    'all but the first page',
    (left, { pages, pageSize }) => Buffer.concat([left.subarray(0, pageSize), pages.subarray(pageSize)]),
  ],
  ['everything', (_, { pages }) => pages],
  [
    'every other page',
    (left, { pages, pageSize }) => {
      const torn = Buffer.from(pages);
      for (let at = pageSize; at < pages.length; at += 2 * pageSize) {
        torn.fill(0, at, at + pageSize);
        if (at < left.length) left.copy(torn, at, at, at + pageSize);
      }
      return torn;
    },
  ],
];

test.each(tears)('opens with all it held when of its log %s was folded in', async (_, torn) => {
  const file = await leftBehind();
  writeFileSync(file, torn(readFileSync(file), checkpointed(file)));
  await expectWhole(file);
});

test('holds every acknowledged write of a process that was killed, and nothing else', async () => {
  const file = join(temporaryFolder(), 'cars.db');
  const script = fileURLToPath(new URL('../../support/database/other-process.ts', import.meta.url));
  for (const round of [0, 1, 2]) {
    const other = fork(script, [`sqlite:${file}`], { execArgv: [] });
    await once(other, 'message');
    for (const at of [0, 1, 2, 3, 4]) {
      const change: Change = { kind: 'create', keys: [`${round}-${at}`], mark: 'x' };
      other.send(change);
      expect(await once(other, 'message')).toEqual(['written', undefined]);
    }
    const ended = once(other, 'exit');
    other.kill('SIGKILL');
    await ended;
    expect(existsSync(log(file))).toBe(true);
  }
  const store = await openStore(`sqlite:${file}`, catalogue);
  expect(await carsListed(store)).toEqual([0, 1, 2].flatMap((round) => [0, 1, 2, 3, 4].map((at) => `${round}-${at}`)));
  await store.close();
});
