/** Somebody moves, removes or overwrites the file under the running service: it stops, says so, and spoils nothing. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { cars, carsListed, createCar, inPortions, queryOf } from '../../../support/conformance/fixtures.ts';
import { catalogueFiles } from '../../../support/database/make-catalogue-file.ts';
import { getItem, openList, summarize } from '../../../support/database/reads.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';
import { serve } from '../../../support/process/service.ts';

/** Milliseconds in which the service must have noticed. */
const NOTICED = 1_000;
const hasPaths = process.platform !== 'win32';

let folder: string;
let file: string;
let store: Store;
let reports: string[];

/** In another process: this one would lose its locks on what it opens. */
const copy = (from: string, to: string): void => void execFileSync('cp', [from, to]);
const hashOf = (path: string): string =>
  createHash('sha256')
    .update(execFileSync('cat', [path]))
    .digest('hex');
const fold = (path: string): void => {
  const other = new DatabaseSync(path, { timeout: 5_000 });
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
};

/** A copy of the database as it is now. */
const backUp = async (to: string): Promise<void> => {
  const other = new DatabaseSync(file, { readOnly: true });
  await backup(other, to);
  other.close();
};

const vacuumInto = (to: string): void => {
  const other = new DatabaseSync(file, { readOnly: true });
  other.prepare('VACUUM INTO ?').run(to);
  other.close();
};

/** A whole database of its own, with one car in it. */
const another = async (path: string): Promise<void> => {
  const other = await openStore(`sqlite:${path}`, catalogue);
  await createCar(other, 'theirs');
  await other.close();
};

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'cars.db');
  reports = [];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  store = await openStore(`sqlite:${file}`, catalogue, { report: (line) => reports.push(line) });
  onTestFinished(async () => {
    await store.close();
    vi.useRealTimers();
  });
  await createCar(store, 'ours');
});
afterEach(() => void vi.useRealTimers());

/** Time for the store to look at its file. */
const pass = (): void => void vi.advanceTimersByTime(NOTICED);

const expectLost = async (): Promise<void> => {
  const unavailable = { code: 'unavailable' };
  expect(await store.ready()).toBe(false);
  await expect(createCar(store, 'late')).rejects.toMatchObject(unavailable);
  await expect(async () => getItem(store, cars, ['ours'])).rejects.toMatchObject(unavailable);
  await expect(async () => openList(store, cars, [], queryOf(cars, {}))).rejects.toMatchObject(unavailable);
  await expect(async () => summarize(store, cars, [], queryOf(cars, {}))).rejects.toMatchObject(unavailable);
};

/** What is done to the file, and what is said of it. */
const faults: readonly (readonly [what: string, work: () => Promise<void>, said: RegExp])[] = [
  ['removed', async () => rmSync(file), /cars\.db: is gone .* put it back/],
  ['moved away', async () => renameSync(file, join(folder, 'other.db')), /is gone/],
  [
    'replaced',
    async () => {
      await another(join(folder, 'other.db'));
      renameSync(join(folder, 'other.db'), file);
    },
    /was replaced .*cars\.db-wal and /,
  ],
  ['made empty', async () => void execFileSync('truncate', ['-s', '0', file]), /was overwritten/],
  [
    'cut off',
    async () => {
      fold(file);
      pass();
      execFileSync('truncate', ['-s', '8192', file]);
    },
    /was overwritten/,
  ],
  [
    'overwritten with what is no database',
    async () => {
      const text = join(folder, 'text');
      execFileSync('sh', ['-c', 'yes brand,model | head -c 100000 > "$0"', text]);
      copy(text, file);
    },
    /was overwritten/,
  ],
  [
    'overwritten with an earlier copy',
    async () => {
      await backUp(join(folder, 'other.db'));
      await createCar(store, 'later');
      fold(file);
      pass();
      copy(join(folder, 'other.db'), file);
    },
    /was overwritten/,
  ],
  [
    'overwritten with a copy of what its log adds',
    async () => {
      fold(file);
      pass();
      await createCar(store, 'later');
      await backUp(join(folder, 'other.db'));
      copy(join(folder, 'other.db'), file);
    },
    /was overwritten/,
  ],
  [
    'overwritten with a copy of what its log adds, in other pages',
    async () => {
      fold(file);
      pass();
      await createCar(store, 'later');
      vacuumInto(join(folder, 'other.db'));
      copy(join(folder, 'other.db'), file);
    },
    /was overwritten/,
  ],
  [
    'overwritten with another database',
    async () => {
      fold(file);
      pass();
      await another(join(folder, 'other.db'));
      copy(join(folder, 'other.db'), file);
    },
    /was overwritten/,
  ],
];

describe.runIf(hasPaths)('a file that is', () => {
  test.each(faults)('%s is neither read nor written', async (_, work, said) => {
    await work();
    pass();
    await expectLost();
    expect(reports).toEqual([expect.stringMatching(said)]);
  });

  test.each(faults.filter(([what]) => /^(?:replaced|overwritten)/.test(what)))(
    '%s stays as it is when the service stops',
    async (_, work) => {
      await work();
      const before = hashOf(file);
      pass();
      await store.close();
      expect(hashOf(file)).toBe(before);
    },
  );

  test('overwritten at the last moment stays as it is too', async () => {
    await backUp(join(folder, 'other.db'));
    await createCar(store, 'later');
    fold(file);
    pass();
    await createCar(store, 'in the log');
    copy(join(folder, 'other.db'), file);
    const before = hashOf(file);
    await store.close();
    expect(hashOf(file)).toBe(before);
  });

  test('moved away and back is used again', async () => {
    renameSync(file, join(folder, 'other.db'));
    pass();
    expect(await store.ready()).toBe(false);
    renameSync(join(folder, 'other.db'), file);
    pass();
    expect(await store.ready()).toBe(true);
    await createCar(store, 'again');
    expect(await carsListed(store)).toEqual(['ours', 'again']);
    expect(reports).toEqual([expect.stringContaining('is gone'), expect.stringContaining('is there again')]);
  });
});

test('whatever SQLite itself does to the file raises no alarm', async () => {
  const other = new DatabaseSync(file, { timeout: 5_000 });
  for (const [at, sql] of ['PRAGMA wal_checkpoint(PASSIVE)', 'PRAGMA wal_checkpoint(TRUNCATE)', 'VACUUM'].entries()) {
    await inPortions(300, (car) => createCar(store, `car-${at}-${car}`));
    if (sql === 'VACUUM') other.exec(`DELETE FROM "cars" WHERE "identifier" <> 'ours'`);
    other.exec(sql);
    pass();
    fold(file);
    pass();
    expect([sql, await store.ready()]).toEqual([sql, true]);
  }
  other.close();
  expect(reports).toEqual([]);
});

test('a file of an earlier version is folded without an alarm', async () => {
  const [made = ''] = catalogueFiles();
  const old = join(folder, 'old.db');
  copy(made, old);
  const opened = await openStore(`sqlite:${old}`, catalogue, { report: (line) => reports.push(line) });
  onTestFinished(() => opened.close());
  reports.length = 0;
  await createCar(opened, 'new');
  fold(old);
  pass();
  expect([await opened.ready(), reports]).toEqual([true, []]);
});

test.runIf(hasPaths)('/readyz says so, in a service that goes on when the file is back', async () => {
  vi.useRealTimers();
  const path = join(folder, 'served.db');
  const { origin, wrote, end } = await serve({ env: { DATABASE_URL: `sqlite:${path}` } });
  const ready = async (): Promise<number> => (await fetch(`${origin}/readyz`)).status;
  expect(await ready()).toBe(200);
  renameSync(path, `${path}.away`);
  await wrote(/warn .*served\.db: is gone/);
  expect(await ready()).toBe(503);
  expect((await fetch(`${origin}/api/coches`)).status).toBe(503);
  renameSync(`${path}.away`, path);
  await wrote(/warn .*served\.db: is there again/);
  expect(await ready()).toBe(200);
  expect(await end('SIGTERM')).toBe(0);
});
