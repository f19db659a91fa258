import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/host/service/open-store.ts';
import { catalogue } from '../support/cars/catalogue.ts';
import { carsListed, createCar } from '../support/conformance/fixtures.ts';
import { onServer, sharedDatabase } from '../support/database/database.ts';
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
  const store = await openStore(url, catalogue, { timeout: 500 });
  onTestFinished(async () => store.close());
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
