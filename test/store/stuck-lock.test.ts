import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { carsListed, createCar } from '../support/conformance/fixtures.ts';
import { importLines, outcomeText } from '../support/conformance/imports/import-rows.ts';
import { onServer, openForTest, sharedDatabase } from '../support/database/database.ts';
import { openSession } from '../support/database/own-postgres.ts';

/** @returns a function that gives the lock back */
const lock = async (url: string): Promise<() => unknown> => {
  if (onServer) {
    const { run } = await openSession(url);
    await run('BEGIN; SELECT * FROM "_change" FOR UPDATE');
    return () => run('ROLLBACK');
  }
  const other = new DatabaseSync(url.slice('sqlite:'.length));
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  return () => other.exec('ROLLBACK');
};

test('no write that waits for the lock is done, whenever it came, and later ones are', async () => {
  const url = await sharedDatabase();
  const store = await openForTest(url, { timeout: 500 });
  await createCar(store, 'before');
  const release = await lock(url);
  const refused: Promise<void>[] = [];
  for (const key of ['first', 'second', 'third']) {
    refused.push(expect(createCar(store, key)).rejects.toMatchObject({ code: 'unavailable' }));
    // While the one before it waits.
    await setImmediate();
  }
  await Promise.all(refused);
  await release();
  await createCar(store, 'after');
  expect(await carsListed(store)).toEqual(['before', 'after']);
});

test.runIf(onServer)(
  'an import waits for longer than a statement may take while another instance imports',
  async () => {
    const url = await sharedDatabase();
    const store = await openForTest(url, { pool: 2, timeout: 200 });
    const [release, { run }] = await Promise.all([lock(url), openSession(url)]);
    const imported = importLines(store, [{ identifier: 'a', brand: 'Seat', model: 'Ibiza' }]);
    const waits =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND now() - query_start > '1 s'";
    await expect.poll(() => run(waits), { timeout: 30_000, interval: 20 }).toHaveLength(1);
    await release();
    expect(outcomeText(await imported)).toBe('imported, created 1');
  },
);
