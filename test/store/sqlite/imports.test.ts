/** Imports into a file that others use, and what is left of one whose process is killed. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { cars, createCar, createMany, openCars, queryOf } from '../../support/conformance/fixtures.ts';
import { importLines, outcomeText } from '../../support/conformance/imports/import-rows.ts';
import { openForTest } from '../../support/database/database.ts';
import { getItem, summarize } from '../../support/database/reads.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

const ROWS = 5_000;

interface Place {
  readonly store: Store;
  readonly folder: string;
  /** Of the other process's temporary files. */
  readonly temporary: string;
  readonly other: ChildProcess;
}

/**
 * A store, and a process that begins to import into its file.
 *
 * @param step in which it sends itself a signal
 * @param prepare what is done before it begins
 */
const openPlace = async (
  step: string,
  signal: NodeJS.Signals,
  prepare = async (_: Store): Promise<void> => {},
): Promise<Place> => {
  const [folder, temporary] = [temporaryFolder(), temporaryFolder()];
  const database = `sqlite:${join(folder, 'cars.db')}`;
  const store = await openForTest(database);
  await prepare(store);
  const script = fileURLToPath(new URL('../../support/database/importing-process.ts', import.meta.url));
  const env = { ...process.env, TMPDIR: temporary, SQLITE_TMPDIR: temporary };
  const other = fork(script, [database, String(ROWS), step, signal], { execArgv: [], env });
  onTestFinished(() => void other.kill('SIGKILL'));
  return { store, folder, temporary, other };
};

/** By a listener that stays: several messages may arrive in one turn. */
const heard = (other: ChildProcess, wanted: string): Promise<void> =>
  new Promise((resolve) => {
    other.on('message', (message) => {
      if (message === wanted) resolve();
    });
  });

const count = async (store: Store): Promise<number | undefined> =>
  (await summarize(store, cars, [], queryOf(cars, {})))?.total;

test.each(['reading 2500', 'reading 5000', 'applying 1000'])(
  'a process that is killed at "%s" leaves all of its rows or none, nothing beside them, and every other write',
  async (moment) => {
    const { store, folder, temporary, other } = await openPlace(moment, 'SIGKILL');
    const exited = once(other, 'exit');
    const early = await Promise.all(Array.from({ length: 20 }, (_, at) => createCar(store, `early-${at}`)));
    expect(new Set(early.map(({ kind }) => kind))).toEqual(new Set(['written']));
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(await createCar(store, 'late')).toMatchObject({ kind: 'written' });
    const found = await count(store);
    // A thread applies them, and may be further than its process knows.
    expect(moment === 'applying 1000' ? [21, ROWS + 21] : [21]).toContain(found);
    expect(readdirSync(temporary).filter((name) => !name.startsWith('node-'))).toEqual([]);
    expect(readdirSync(folder).filter((name) => !/^cars\.db(-wal|-shm)?$/.test(name))).toEqual([]);
    expect(outcomeText(await importLines(store, [{ identifier: 'import-x', brand: 'Seat', model: 'León' }]))).toBe(
      'imported, created 1',
    );
  },
);

test('while another process applies many rows items and long lists are read, and writes are done after it', async () => {
  const { store, other } = await openPlace(
    'applying 1000',
    'SIGSTOP',
    async (store) => void (await createMany(store, 600)),
  );
  const applied = heard(other, 'applying 1000');
  let isOver = false;
  void heard(other, 'imported').then(() => {
    isOver = true;
  });
  const before = await getItem(store, cars, ['car-0']);
  await applied;
  const { chunks } = await openCars(store);
  expect(await getItem(store, cars, ['car-0'])).toEqual(before);
  const rows: unknown[] = [];
  for (let read = await chunks.next(); !read.done; read = await chunks.next()) rows.push(...read.value);
  expect(rows).toHaveLength(600);
  const writing = createCar(store, 'single');
  // Once may be before it has stopped.
  const goOn = (): boolean => {
    other.kill('SIGCONT');
    return isOver;
  };
  await expect.poll(goOn, { interval: 20 }).toBe(true);
  expect(await writing).toMatchObject({ kind: 'written' });
  expect(await count(store)).toBe(ROWS + 601);
});

test('a store that closes ends what it imports, of which all is stored or nothing', async () => {
  const database = `sqlite:${join(temporaryFolder(), 'cars.db')}`;
  const store = await openStore(database, catalogue);
  const lines = Array.from({ length: ROWS }, (_, at) => ({
    identifier: `import-${at}`,
    brand: 'Seat',
    model: 'Ibiza',
  }));
  let closed: unknown;
  const importing = importLines(store, lines, {
    chunk: 100,
    onProgress: (step) => {
      if (step === 'applying') closed ??= store.close();
    },
  });
  const outcome = await importing.then(outcomeText, ({ code }: { readonly code: string }) => code);
  await closed;
  const again = await openForTest(database);
  expect([`imported, created ${ROWS}: ${ROWS}`, 'unavailable: 0']).toContain(`${outcome}: ${await count(again)}`);
});

test('an import whose client goes away while it is stored does not mean that the database takes no writes', async () => {
  const reported: string[] = [];
  const report = (line: string) => void reported.push(line);
  const store = await openForTest(`sqlite:${join(temporaryFolder(), 'cars.db')}`, { report });
  await createCar(store, 'a');
  const client = new AbortController();
  const lines = Array.from({ length: ROWS }, (_, at) => ({ identifier: `b-${at}`, brand: 'Seat', model: 'Ibiza' }));
  const importing = importLines(store, lines, {
    chunk: 500,
    signal: client.signal,
    // Asked for when all rows are read, and before they are applied.
    idempotency: () => {
      client.abort();
      return { key: 'k', payload: 'p', receivedAt: 2e12, expires: 2e12 + 1 };
    },
  });
  await expect(importing).rejects.toMatchObject({ code: 'unavailable' });
  expect([await store.ready(), reported, await count(store)]).toEqual([true, [], 1]);
});

test('a check, and a file that is refused, write nothing that would be taken back', async () => {
  const location = join(temporaryFolder(), 'cars.db');
  const store = await openForTest(`sqlite:${location}`);
  await createCar(store, 'import-known');
  const database = new DatabaseSync(location);
  database.exec("CREATE TRIGGER refuse BEFORE INSERT ON cars BEGIN SELECT RAISE(ABORT, 'a row was written'); END");
  database.close();
  const lines = ['known', 'new', 'new'].map((name) => ({ identifier: `import-${name}`, brand: 'Seat', model: name }));
  const checked = await importLines(store, lines, { isCheck: true, onDuplicate: 'replace-all' });
  expect(outcomeText(checked)).toMatch(/^checked, created 1, updated 1, skipped 1, row 3 as 4/);
  const refused = await importLines(store, [...lines, { identifier: 'import-x', year: 'x' }], { onDuplicate: 'merge' });
  expect(outcomeText(refused)).toMatch(/^rejected-rows, created 1, updated 1, skipped 1, rejected 1/);
  await expect(importLines(store, lines, { onDuplicate: 'merge' })).rejects.toThrow();
});
