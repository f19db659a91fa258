/** Lists of a server that has much to do: who waits, who is refused, who does not notice, and for whom it stops because they left. */
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/gateway/port/port.ts';
import type { StoreOptions } from '../../../../src/host/service/open-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import {
  cars,
  carsListed,
  createCar,
  createMany,
  createOil,
  keyOf,
  type ListRequest,
  MANY,
  oils,
  openCars,
  queryOf,
  readList,
} from '../../../support/conformance/fixtures.ts';
import { openForTest, preparedDatabase } from '../../../support/database/database.ts';
import { openSession } from '../../../support/database/own-postgres.ts';
import { getItem, type Listing, summarize } from '../../../support/database/reads.ts';
import { openRelay } from '../../../support/faults/relay.ts';

/** By default with limits of time that are longer than a test. */
const open = (url: string, options: StoreOptions = {}) => openForTest(url, { timeout: 600_000, ...options });
const callerAt = (client: string): Caller => ({ client, signal: new AbortController().signal });

/** Whoever sorts by version waits while the lock is held. */
const GATE = `ALTER TABLE "cars" RENAME TO "all_cars"; ALTER TABLE "all_cars" RENAME "_version" TO "_hidden";
  CREATE FUNCTION "passes"("folded" text) RETURNS text STABLE LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN "folded"; END $$;
  CREATE VIEW "cars" AS SELECT *, "passes"("_hidden") AS "_version" FROM "all_cars"`;

const WORKING =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'car-dealer-catalogue%' AND state = 'active'";

test('whole lists that take long leave pages, totals, lists inside items, items and lists by an index to others', async () => {
  const url = await preparedDatabase();
  const store = await open(url);
  await createCar(store, 'a', { fuel: 'diesel' });
  await createOil(store, 'a', '5W-30');
  const [{ run }, working] = await Promise.all([openSession(url), watch(url)]);
  await run(`${GATE}; SELECT pg_advisory_lock(1)`);
  const whole = Array.from({ length: 60 }, () => carsListed(store, { sort: 'version' }));
  await working(2);
  const unindexed = { filters: { fuel: ['diesel'] } };
  for (let round = 0; round < 5; round++) {
    expect(await carsListed(store, { ...unindexed, size: 5 })).toEqual(['a']);
    expect(await summarize(store, cars, [], queryOf(cars, unindexed))).toMatchObject({ total: 1 });
    expect((await readList(store, oils, ['a']))?.rows.map(keyOf)).toEqual(['5W-30']);
    expect((await getItem(store, cars, ['a']))?.[1]).toBe('a');
    expect(await carsListed(store, {})).toEqual(['a']);
  }
  await run('SELECT pg_advisory_unlock(1)');
  for (const each of await Promise.all(whole)) expect(each).toEqual(['a']);
});

test('the rows of a list that is sorted and its total are of one snapshot, whoever writes in between', async () => {
  const url = await preparedDatabase();
  const store = await open(url);
  await createCar(store, 'a', { version: 'x' });
  const [{ run }, working] = await Promise.all([openSession(url), watch(url)]);
  await run(`${GATE}; SELECT pg_advisory_lock(1)`);
  const sorted = readList(store, cars, [], { sort: 'version' });
  await working(1);
  await run(
    'INSERT INTO "all_cars" SELECT (jsonb_populate_record("all_cars", \'{"identifier": "b", "_identifier": "b"}\')).* FROM "all_cars"',
  );
  await run('SELECT pg_advisory_unlock(1)');
  const list = await sorted;
  expect([list?.total, list?.rows.map(keyOf)]).toEqual([1, ['a']]);
  expect(await summarize(store, cars, [], queryOf(cars, {}))).toMatchObject({ total: 2 });
});

/** @returns resolves once so many statements of stores are being run */
const watch = async (url: string) => {
  const { run } = await openSession(url);
  return (count: number) => expect.poll(() => run(WORKING), { timeout: 30_000, interval: 5 }).toHaveLength(count);
};

/** A store with a car, whose only connection waits for a lock on the cars until it is released. */
const openLocked = async (options: StoreOptions = {}) => {
  const url = await preparedDatabase();
  const store = await open(url, { pool: 1, ...options });
  await createCar(store, 'a');
  const { run } = await openSession(url);
  await run('BEGIN; LOCK TABLE "cars" IN ACCESS EXCLUSIVE MODE');
  return { store, release: () => run('ROLLBACK'), working: await watch(url) };
};
const queued: readonly (readonly [ListRequest, reason: string])[] = [
  [{}, 'database'],
  [{ sort: 'version' }, 'reads'],
  [{ sort: 'version', size: 5 }, 'reads'],
];

describe.each(queued)('lists such as %o', (asked, refused) => {
  test('wait, a thousand of them, of which one client has its share; one more is refused at once', async () => {
    const { store } = await openLocked({ clientShare: 0.5 });
    const leaving = new AbortController();
    const ask = (client: number) => openCars(store, asked, { client: `192.0.2.${client}`, signal: leaving.signal });
    const waiting = Array.from({ length: 500 }, () => ask(1));
    await expect(ask(1)).rejects.toMatchObject({ code: 'unavailable', reason: 'client' });
    waiting.push(...Array.from({ length: 500 }, () => ask(2)));
    await expect(ask(3)).rejects.toMatchObject({ code: 'unavailable', reason: refused });
    leaving.abort();
    expect((await Promise.allSettled(waiting)).filter(({ status }) => status === 'fulfilled')).toEqual([]);
  });
});

test('lists that have waited for the limit of time are refused', async () => {
  const { store } = await openLocked({ timeout: 300 });
  const ends = await Promise.allSettled(Array.from({ length: 20 }, () => openCars(store, { sort: 'version' })));
  const reasons = ends.map((end) => (end.status === 'rejected' ? end.reason.reason : 'answered'));
  // Two at a time are begun: two more once these have met the time limit of a statement, and perhaps two in the moment of the refusal.
  expect(reasons.filter((reason) => reason === 'reads').length).toBeGreaterThanOrEqual(14);
  expect(reasons).not.toContain('answered');
});

test('a thousand requests of nobody in particular wait for a connection, one more is refused at once', async () => {
  const { store } = await openLocked({ timeout: 500 });
  const ends = await Promise.allSettled(Array.from({ length: 1_001 }, () => openCars(store, { size: 5 })));
  const causes = ends.map((end) => (end.status === 'rejected' ? end.reason.cause?.message : 'answered'));
  expect(causes.filter((cause) => cause === 'too many requests wait for a connection')).toHaveLength(1);
  expect(causes).not.toContain('answered');
});

test('items that wait behind others that are not answered are refused with them', async () => {
  const { store, release } = await openLocked({ timeout: 1_000 });
  const ask = async () => getItem(store, cars, ['a']);
  const start = performance.now();
  const ends = await Promise.allSettled(Array.from({ length: 20_000 }, ask));
  expect(ends.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  // They are eighty statements, of which only the first is on its way: one after the other they would take eighty seconds.
  expect(performance.now() - start).toBeLessThan(50_000);
  await release();
  await expect.poll(async () => (await ask())?.[1]).toBe('a');
});

test('long lists whose connections break, break off, and others take their place', async () => {
  const url = new URL(await preparedDatabase());
  await createMany(await open(url.href));
  const relay = await openRelay(Number(url.port));
  url.port = String(relay.port);
  const store = await open(url.href, { pool: 4 });
  relay.inspect({ answered: (piece) => (piece.includes('car-650') ? 'cut' : 'pass') });
  // More often than there are places for long lists.
  for (let round = 0; round < 3; round++) {
    for (const asked of [{}, { sort: 'version' }]) {
      const { chunks } = await openCars(store, asked);
      await chunks.next();
      await expect(chunks.next()).rejects.toMatchObject({ code: 'unavailable' });
    }
  }
  relay.inspect({});
  expect(await carsListed(store)).toHaveLength(MANY);
});

test('long lists of one client leave half of the places to others', async () => {
  const url = await preparedDatabase();
  const store = await open(url, { clientShare: 0.5 });
  await createMany(store);
  const [greedy, other] = [callerAt('192.0.2.1'), callerAt('192.0.2.2')];
  const opened: Listing[] = [];
  for (let at = 0; at < 5; at++) opened.push(await openCars(store, at % 2 ? {} : { sort: 'version' }, greedy));
  for (const asked of [{}, { sort: 'version' }]) {
    await expect(openCars(store, asked, greedy)).rejects.toMatchObject({ reason: 'client' });
    opened.push(await openCars(store, asked, other));
  }
  expect(await openCars(store, { size: 5 }, greedy)).toMatchObject({ long: false });
  await opened[0]?.chunks.return?.();
  opened.push(await openCars(store, {}, greedy));
  await Promise.all(opened.map(({ chunks }) => chunks.return?.()));
});

test('a long list that takes longer than it may breaks off, and gives its connection back', async () => {
  const store = await open(await preparedDatabase(), { pool: 1, listTimeout: 100 });
  await createMany(store);
  const { chunks } = await openCars(store, {});
  const readOn = async (): Promise<unknown> => {
    try {
      return await chunks.next();
    } catch (error) {
      return (error as Error).cause;
    }
  };
  await expect
    .poll(readOn, { timeout: 30_000, interval: 50 })
    .toMatchObject({ message: 'the list took too long (LIST_TIMEOUT)' });
  expect(await openCars(store, {})).toMatchObject({ long: true, total: MANY });
});

const ABANDONED = { code: 'unavailable', reason: 'database' };

/** A client that can leave. */
const client = () => {
  const controller = new AbortController();
  const caller: Caller = { signal: controller.signal, client: undefined };
  return { caller, leave: () => controller.abort() };
};

const unindexed: ListRequest = { filters: { fuel: ['diesel'] }, size: 5 };
const asks: readonly (readonly [what: string, asked: ListRequest])[] = [
  ['a page by an index', { size: 5 }],
  ['a page without one', unindexed],
  ['a whole list', {}],
  ['a whole list in an order without an index', { sort: 'version' }],
];

describe('a client that goes away', () => {
  const reads: readonly (readonly [what: string, read: (...args: [Store, Caller]) => unknown])[] = [
    ...asks.map(
      ([what, asked]) => [what, (...[store, caller]: [Store, Caller]) => openCars(store, asked, caller)] as const,
    ),
    ['what only counts', (store, caller) => summarize(store, cars, [], queryOf(cars, unindexed), caller)],
  ];
  test.each(reads)('ends the statement that reads %s; its place is free again', async (_, read) => {
    const { store, release, working } = await openLocked();
    const { caller, leave } = client();
    const ended = expect(read(store, caller)).rejects.toMatchObject(ABANDONED);
    await working(1);
    leave();
    await ended;
    await working(0);
    await release();
    expect(await carsListed(store)).toEqual(['a']);
  });

  test.each(asks)('while %s waits for others leaves them alone, and nothing is read for it', async (_, asked) => {
    const { store, release, working } = await openLocked();
    const first = openCars(store, asked);
    await working(1);
    const { caller, leave } = client();
    const left = expect(openCars(store, asked, caller)).rejects.toMatchObject(ABANDONED);
    const last = openCars(store, asked);
    leave();
    await release();
    for (const each of [first, last]) expect(await each).toMatchObject({ total: asked === unindexed ? 0 : 1 });
    await left;
  });

  test('before its list is asked for gets none', async () => {
    const store = await open(await preparedDatabase(), { pool: 1 });
    const { caller, leave } = client();
    leave();
    for (const [, asked] of asks) await expect(openCars(store, asked, caller)).rejects.toMatchObject(ABANDONED);
  });
});

/** A client that reads a row of the second chunk waits while the lock is held; to count rows needs no lock. */
const SECOND_CHUNK = `ALTER TABLE "cars" RENAME TO "all_cars";
  CREATE FUNCTION "passes"("key" text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
    BEGIN IF substr("key", 5)::integer > 600 THEN PERFORM pg_advisory_xact_lock_shared(1); END IF; RETURN true; END $$;
  DO $$ BEGIN EXECUTE 'CREATE VIEW "cars" AS SELECT ' || (
    SELECT string_agg(CASE column_name WHEN 'year' THEN 'CASE WHEN "passes"("identifier") THEN "year" END AS "year"' ELSE quote_ident(column_name) END, ', ')
    FROM information_schema.columns WHERE table_name = 'all_cars') || ' FROM "all_cars"'; END $$`;

test('a list that is returned while its next chunk is looked for ends there, and gives its connection back', async () => {
  const url = await preparedDatabase();
  const store = await open(url, { pool: 1 });
  await createMany(store);
  const [{ run }, working] = await Promise.all([openSession(url), watch(url)]);
  await run(`${SECOND_CHUNK}; SELECT pg_advisory_lock(1)`);
  for (let round = 0; round < 3; round++) {
    const { chunks } = await openCars(store, {});
    expect((await chunks.next()).value).toHaveLength(500);
    const next = expect(chunks.next()).rejects.toMatchObject({ code: 'unavailable' });
    await working(1);
    expect(await chunks.return?.()).toMatchObject({ done: true });
    await next;
    await working(0);
  }
});
