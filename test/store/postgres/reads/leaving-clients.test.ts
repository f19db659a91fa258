/** Lists whose clients go away: the server does not work for them any more, wherever they are. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../../../src/gateway/port/port.ts';
import { openStore, type StoreOptions } from '../../../../src/host/service/open-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import {
  cars,
  carsListed,
  createCar,
  createMany,
  type ListRequest,
  queryOf,
} from '../../../support/conformance/fixtures.ts';
import { preparedDatabase } from '../../../support/database/database.ts';
import { openSession } from '../../../support/database/own-postgres.ts';
import { type Listing, openList, summarize } from '../../../support/database/reads.ts';

const ABANDONED = { code: 'unavailable', reason: 'database' };

/** By default with one connection, and limits of time that are longer than a test. */
const open = async (url: string, options: StoreOptions = {}): Promise<Store> => {
  const store = await openStore(url, catalogue, { pool: 1, timeout: 600_000, ...options });
  onTestFinished(async () => store.close());
  return store;
};

/** A client that can leave. */
const client = () => {
  const controller = new AbortController();
  const caller: Caller = { signal: controller.signal, client: undefined };
  return { caller, leave: () => controller.abort() };
};

const list = async (store: Store, asked: ListRequest, caller?: Caller): Promise<Listing> => {
  const listing = await openList(store, cars, [], queryOf(cars, asked), caller);
  if (!listing) throw new TypeError('no list');
  return listing;
};

const WORKING =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'car-dealer-catalogue%' AND state = 'active'";

/** Holds up and watches what stores do in a database. */
const overseer = async (url: string) => {
  const [holder, watcher] = await Promise.all([openSession(url), openSession(url)]);
  return {
    run: holder.run,
    lock: () => holder.run('BEGIN; LOCK TABLE "cars" IN ACCESS EXCLUSIVE MODE'),
    unlock: () => holder.run('ROLLBACK'),
    /** Resolves once so many statements of stores are being run. */
    working: (count: number) =>
      expect.poll(() => watcher.run(WORKING), { timeout: 30_000, interval: 5 }).toHaveLength(count),
  };
};

const unindexed: ListRequest = { filters: { fuel: ['diesel'] }, size: 5 };
const asks: readonly (readonly [what: string, asked: ListRequest])[] = [
  ['a page by an index', { size: 5 }],
  ['a page without one', unindexed],
  ['a whole list', {}],
  ['a whole list in an order without an index', { sort: 'version' }],
];

describe('a client that goes away', () => {
  test.each(asks)('ends the statement that reads %s; its place is free again', async (_, asked) => {
    const url = await preparedDatabase();
    const store = await open(url);
    await createCar(store, 'a');
    const { lock, unlock, working } = await overseer(url);
    await lock();
    const { caller, leave } = client();
    const ended = expect(list(store, asked, caller)).rejects.toMatchObject(ABANDONED);
    await working(1);
    leave();
    await ended;
    await working(0);
    await unlock();
    expect(await carsListed(store)).toEqual(['a']);
  });

  test('ends the statement that counts', async () => {
    const url = await preparedDatabase();
    const store = await open(url);
    const { lock, working } = await overseer(url);
    await lock();
    const { caller, leave } = client();
    const ended = expect(summarize(store, cars, [], queryOf(cars, unindexed), caller)).rejects.toMatchObject(ABANDONED);
    await working(1);
    leave();
    await ended;
    await working(0);
  });

  test.each(asks)('while %s waits for others leaves them alone, and nothing is read for it', async (_, asked) => {
    const url = await preparedDatabase();
    const store = await open(url);
    await createCar(store, 'a');
    const { lock, unlock, working } = await overseer(url);
    await lock();
    const first = list(store, asked);
    await working(1);
    const { caller, leave } = client();
    const left = expect(list(store, asked, caller)).rejects.toMatchObject(ABANDONED);
    const last = list(store, asked);
    leave();
    await unlock();
    for (const each of [first, last]) expect(await each).toMatchObject({ total: asked === unindexed ? 0 : 1 });
    await left;
  });

  test('before its list is asked for gets none', async () => {
    const store = await open(await preparedDatabase());
    const { caller, leave } = client();
    leave();
    for (const [, asked] of asks) await expect(list(store, asked, caller)).rejects.toMatchObject(ABANDONED);
  });
});

/** A client that reads a row of the second chunk waits while the lock is held; to count rows needs no lock. */
const GATE = `ALTER TABLE "cars" RENAME TO "all_cars";
  CREATE FUNCTION "passes"("key" text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
    BEGIN IF substr("key", 5)::integer > 600 THEN PERFORM pg_advisory_xact_lock_shared(1); END IF; RETURN true; END $$;
  DO $$ BEGIN EXECUTE 'CREATE VIEW "cars" AS SELECT ' || (
    SELECT string_agg(CASE column_name WHEN 'year' THEN 'CASE WHEN "passes"("identifier") THEN "year" END AS "year"' ELSE quote_ident(column_name) END, ', ')
    FROM information_schema.columns WHERE table_name = 'all_cars') || ' FROM "all_cars"'; END $$`;

test('a list that is returned while its next chunk is looked for ends there, and gives its connection back', async () => {
  const url = await preparedDatabase();
  const store = await open(url);
  await createMany(store);
  const { run, working } = await overseer(url);
  await run(GATE);
  await run('SELECT pg_advisory_lock(1)');
  for (let round = 0; round < 3; round++) {
    const { chunks } = await list(store, {});
    expect((await chunks.next()).value).toHaveLength(500);
    const next = expect(chunks.next()).rejects.toMatchObject({ code: 'unavailable' });
    await working(1);
    expect(await chunks.return?.()).toMatchObject({ done: true });
    await next;
    await working(0);
  }
});
