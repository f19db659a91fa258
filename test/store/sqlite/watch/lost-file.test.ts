/** Somebody moves, removes or replaces the file under the running service: it writes no more, says so, and spoils nothing. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { cars, carsListed, createCar, fillFile } from '../../../support/conformance/fixtures.ts';
import { getItem } from '../../../support/database/reads.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

/** Milliseconds after which the next write notices. */
const NOTICED = 1_000;

/** Milliseconds by which the clock is ahead. */
let ahead = 0;
let folder: string;
let file: string;
let store: Store;
let reports: string[];

const hashOf = (path: string): string =>
  createHash('sha256')
    .update(execFileSync('cat', [path]))
    .digest('hex');

/** A whole database of its own, with one car in it. */
const another = (path: string) => fillFile(`sqlite:${path}`, 'theirs');

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'cars.db');
  reports = [];
  ahead = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  store = await openStore(`sqlite:${file}`, catalogue, { report: (line) => reports.push(line) });
  onTestFinished(() => store.close());
  await createCar(store, 'ours');
});
afterEach(() => void vi.restoreAllMocks());

const pass = (): void => {
  ahead += NOTICED;
};

/** What is done to the file. */
const faults: readonly (readonly [what: string, work: () => Promise<void>])[] = [
  ['removed', async () => rmSync(file)],
  ['moved away', async () => renameSync(file, join(folder, 'other.db'))],
  [
    'replaced',
    async () => {
      await another(join(folder, 'other.db'));
      renameSync(join(folder, 'other.db'), file);
    },
  ],
];

describe.runIf(process.platform !== 'win32')('a file that is', () => {
  test.each(faults)('%s takes no writes, which is told once', async (_, work) => {
    await work();
    pass();
    for (const key of ['late', 'later']) {
      await expect(createCar(store, key)).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect([await store.ready(), await store.ready(true)]).toEqual([true, false]);
    expect(await getItem(store, cars, ['ours'])).toBeDefined();
    expect(reports).toEqual([
      expect.stringMatching(/cars\.db: is gone from its place.* Put it back.*cars\.db-wal and /),
    ]);
  });

  test('replaced stays as it is when the service stops', async () => {
    await another(join(folder, 'other.db'));
    renameSync(join(folder, 'other.db'), file);
    const before = hashOf(file);
    await store.close();
    expect(hashOf(file)).toBe(before);
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
    const opened = await openStore(`sqlite:${file}`, catalogue);
    expect(await carsListed(opened)).toEqual(['theirs']);
    await opened.close();
  });

  test('moved away and back is used again', async () => {
    renameSync(file, join(folder, 'other.db'));
    pass();
    expect(await store.ready(true)).toBe(false);
    renameSync(join(folder, 'other.db'), file);
    expect(await store.ready(true)).toBe(true);
    await createCar(store, 'again');
    expect(await carsListed(store)).toEqual(['ours', 'again']);
    expect(reports).toEqual([expect.stringContaining('is gone'), expect.stringContaining('is there again')]);
  });
});
