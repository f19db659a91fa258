/** Somebody holds the lock of all writers and does not give it back. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../src/catalogue.ts';
import { openStore } from '../../src/host/service/open-store.ts';
import { carsListed, createCar } from '../support/conformance/fixtures.ts';
import { onServer, preparedDatabase } from '../support/database/database.ts';
import { openSession } from '../support/database/own-postgres.ts';
import { temporaryFolder } from '../support/process/folder.ts';

/** Milliseconds for which a write waits; on SQLite they cannot be set. */
const LIMIT = onServer ? 3_000 : 5_000;

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

test('no write waits longer than it may, whenever it came; none of them is done, and later ones are', async () => {
  const url = onServer ? await preparedDatabase() : `sqlite:${join(temporaryFolder(), 'cars.db')}`;
  const store = await openStore(url, catalogue, { timeout: LIMIT });
  onTestFinished(async () => store.close());
  await createCar(store, 'before');
  const release = await lock(url);
  const waits: Promise<number>[] = [];
  for (let at = 0; at < 12; at++) {
    const since = performance.now();
    const refused = expect(createCar(store, `refused-${at}`)).rejects.toMatchObject({ code: 'unavailable' });
    waits.push(refused.then(() => performance.now() - since));
    await sleep(LIMIT / 5);
  }
  // A busy machine is no fault.
  expect(Math.max(...(await Promise.all(waits)))).toBeLessThan(LIMIT * 1.25);
  await release();
  await createCar(store, 'after');
  expect(await carsListed(store)).toEqual(['before', 'after']);
});
