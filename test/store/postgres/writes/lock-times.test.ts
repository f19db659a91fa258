import { expect, onTestFinished, test } from 'vitest';
import { openPool } from '../../../../src/store/postgres/connection/pool.ts';
import { lockTimes } from '../../../../src/store/postgres/writes/lock-times.ts';
import { committer } from '../../../../src/store/postgres/writes/writes.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { cars } from '../../../support/conformance/fixtures.ts';
import { preparedDatabase } from '../../../support/database/database.ts';
import { openSession } from '../../../support/database/own-postgres.ts';

test('a batch grows for as long as the others had the lock before, and less and less once they are gone', () => {
  let now = 0;
  const { hadLock, end, left } = lockTimes(() => now);
  expect(left()).toBe(0);
  now = 100;
  end();
  // Sent three milliseconds later, it waited for five more.
  hadLock(103, 5);
  now = 110;
  end();
  expect(left()).toBe(8);
  now = 116;
  expect(left()).toBe(2);
  hadLock(118, 0.1);
  end();
  expect(left()).toBe(6);
  hadLock(118, 5_000);
  end();
  expect(left()).toBe(20);
});

const texts = new Map([
  ['identifier', 'a'],
  ['brand', 'Seat'],
  ['model', 'Ibiza'],
]);
const cells = cars.fields.map(({ name }) => texts.get(name) ?? null);
const writes = [
  ['a create', { kind: 'create', collection: 'cars', parents: [], cells }],
  ['a delete', { kind: 'remove', collection: 'cars', keys: ['a'] }],
] as const;

test.each(writes)('%s tells how long it waited for the lock', async (_, intent) => {
  const url = await preparedDatabase();
  const pool = openPool(url, { size: 1, timeout: 30_000 });
  onTestFinished(pool.end);
  const waits: number[] = [];
  const times = { ...lockTimes(), hadLock: (_asked: number, waited: number) => void waits.push(waited) };
  const commit = committer(pool, catalogue, times);
  const { run } = await openSession(url);
  const { run: look } = await openSession(url);
  await run('BEGIN; SELECT * FROM "_change" FOR UPDATE');
  const written = commit([intent], 30_000);
  const waiting =
    'SELECT extract(epoch FROM clock_timestamp() - query_start) * 1000 AS time FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0';
  const waited = async () => (await look(waiting))[0]?.time;
  await expect.poll(waited, { timeout: 30_000, interval: 5 }).toBeDefined();
  const least = Number(await waited());
  await run('COMMIT');
  expect(await written).toHaveLength(1);
  expect(waits).toEqual([expect.any(Number)]);
  expect(waits[0]).toBeGreaterThanOrEqual(least);
});
