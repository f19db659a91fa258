/** A database that is there and has no time: statements, connections and locks that take too long. */
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { cars, createCar, createOil, inPortions, queryOf } from '../../../support/conformance/fixtures.ts';
import { preparedDatabase } from '../../../support/database/database.ts';
import { openSession } from '../../../support/database/own-postgres.ts';
import { getItem, openList } from '../../../support/database/reads.ts';
import { expectReadiness, expectRefusals } from '../../../support/faults/expect-unavailable.ts';
import { openRelay } from '../../../support/faults/relay.ts';
import type { WhenOver } from '../../../support/process/folder.ts';
import { serve } from '../../../support/process/service.ts';

const limits = { DATABASE_TIMEOUT: '1000', DATABASE_POOL: '2', CLIENT_SHARE: '100' };
const KEPT = { identifier: 'kept', brand: 'Seat', model: 'Ibiza' };

const post = (origin: string, body: object): Promise<Response> =>
  fetch(`${origin}/api/cars`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** A service with a car. */
const openPlace = async (whenOver: WhenOver) => {
  const url = await preparedDatabase(whenOver);
  const service = await serve({ env: { DATABASE_URL: url, ...limits }, whenOver });
  expect((await post(service.origin, KEPT)).status).toBe(201);
  return { url, service, origin: service.origin };
};

/** A service that reaches its database through a relay. */
const openThrough = async (url?: string) => {
  const database = new URL(url ?? (await preparedDatabase()));
  const direct = database.href;
  const relay = await openRelay(Number(database.port));
  database.port = String(relay.port);
  const service = await serve({ env: { DATABASE_URL: database.href, ...limits } });
  return { relay, origin: service.origin, url: direct };
};

/** Sooner or later: where the machine is busy, a read may be refused, too. */
const expectCars = async (origin: string, ...expected: readonly object[]): Promise<void> => {
  const all = async (): Promise<unknown> => (await fetch(`${origin}/api/cars`)).json();
  await expect.poll(all, { interval: 20 }).toEqual(expected);
};

/** Sessions of the service that do something or wait for it. */
const BUSY =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'";

/** One service for all of them, one test after the other: each leaves it as the next one finds it. */
describe('a service whose database is held up', () => {
  let place: Awaited<ReturnType<typeof openPlace>>;
  const cleanUps: (() => unknown)[] = [];
  beforeAll(async () => {
    place = await openPlace((cleanUp) => void cleanUps.push(cleanUp));
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });
  /** The service with one car, and a session of somebody else's on its database. */
  const atPlace = async () => {
    // The last of them ends the service.
    onTestFinished(() =>
      fetch(`${place.origin}/api/cars/after`, { method: 'DELETE' }).then(
        () => {},
        () => {},
      ),
    );
    return { ...place, ...(await openSession(place.url)) };
  };

  test('by a lock on its tables says so in time, and leaves no statement behind', async () => {
    const { origin, run, url } = await atPlace();
    await run('BEGIN; LOCK TABLE "cars" IN ACCESS EXCLUSIVE MODE');
    await expectRefusals(origin);
    const watcher = await openSession(url);
    await expect.poll(() => watcher.run(BUSY), { timeout: 30_000, interval: 20 }).toHaveLength(1);
    await run('ROLLBACK');
    await expectCars(origin, KEPT);
    expect((await post(origin, { ...KEPT, identifier: 'after' })).status).toBe(201);
  });

  test('so that no connection is free is not ready, and is ready again by itself', async () => {
    const { origin, run } = await atPlace();
    await run('BEGIN; LOCK TABLE "cars" IN ACCESS EXCLUSIVE MODE');
    let isOver = false;
    const askOn = async (): Promise<void> => {
      while (!isOver) expect((await fetch(`${origin}/api/coches?pagina=1`)).status).toBe(503);
    };
    const clients = Promise.all(Array.from({ length: 8 }, askOn));
    await expectReadiness(origin, false);
    isOver = true;
    await clients;
    await run('ROLLBACK');
    await expectReadiness(origin, true);
    await expectCars(origin, KEPT);
  });

  test('by another instance that fell silent in the middle of a write goes on without it', async () => {
    const { origin, url } = await atPlace();
    const { relay, ...other } = await openThrough(url);
    expect((await fetch(`${other.origin}/api/coches/kept`)).status).toBe(200);
    relay.inspect({
      answered: () => {
        relay.setSilent(true);
        return 'pass';
      },
    });
    // A change takes two round trips; a create only one, in which nobody can fall silent.
    const lost = fetch(`${other.origin}/api/cars/kept`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ doors: 3 }),
    });
    const { run } = await openSession(url);
    const held = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'";
    await expect.poll(() => run(held), { timeout: 30_000, interval: 5 }).toHaveLength(1);
    const statusOf = async () => (await post(origin, { ...KEPT, identifier: 'after' })).status;
    await expect.poll(statusOf, { timeout: 30_000, interval: 5 }).toBe(201);
    // It may have fallen silent before it sent the commit, or after.
    expect([503, 504]).toContain((await lost).status);
    relay.inspect({});
    relay.setSilent(false);
    await expectReadiness(other.origin, true);
    await expectCars(other.origin, KEPT, { ...KEPT, identifier: 'after' });
  });

  test('so that it lets nobody in goes on when it does', async () => {
    const { origin, url, service } = await atPlace();
    const elsewhere = new URL(url);
    const name = elsewhere.pathname.slice(1);
    elsewhere.pathname = '/postgres';
    const { run } = await openSession(elsewhere.href);
    onTestFinished(async () => void (await run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)));
    await run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    await expectReadiness(origin, false);
    await expectRefusals(origin);
    await run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await expectReadiness(origin, true);
    await expectCars(origin, KEPT);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});

/** A store that waits for a second at most, whose cars are locked until they are released. */
const openLocked = async () => {
  const url = await preparedDatabase();
  const store = await openStore(url, catalogue, { pool: 1, timeout: 1_000 });
  onTestFinished(async () => store.close());
  await createCar(store, 'a');
  const { run } = await openSession(url);
  await run('BEGIN; LOCK TABLE "cars" IN ACCESS EXCLUSIVE MODE');
  return { store, release: () => run('ROLLBACK') };
};

/** @returns why each was refused, by its cause or its reason; `undefined` where it was not */
const causesOf = async (asked: readonly Promise<unknown>[]): Promise<readonly unknown[]> =>
  (await Promise.allSettled(asked)).map((end) =>
    end.status === 'rejected' ? (end.reason.cause?.message ?? end.reason.reason) : undefined,
  );

test('a thousand requests wait for a connection, one more is refused at once', async () => {
  const { store, release } = await openLocked();
  const ask = async () => openList(store, cars, [], queryOf(cars, { size: 5 }));
  const causes = await causesOf(Array.from({ length: 1_001 }, ask));
  expect(causes.filter((cause) => cause === 'too many requests wait for a connection')).toHaveLength(1);
  expect(causes).not.toContain(undefined);
  await release();
  await expect.poll(ask).toMatchObject({ total: 1 });
});

test('items that wait behind others that are not answered are refused with them', async () => {
  const { store, release } = await openLocked();
  const ask = async () => getItem(store, cars, ['a']);
  const start = performance.now();
  expect(await causesOf(Array.from({ length: 20_000 }, ask))).not.toContain(undefined);
  // They are eighty statements, of which only the first is on its way: one after the other they would take eighty seconds.
  expect(performance.now() - start).toBeLessThan(50_000);
  await release();
  await expect.poll(async () => (await ask())?.slice(0, 2)).toEqual([expect.any(Number), 'a']);
});

const begin = (address: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(address, resolve).on('error', reject));

/** @returns what arrives until it ends, and whether it broke off */
const readOn = async (list: IncomingMessage): Promise<readonly [text: string, isBroken: boolean]> => {
  let text = '';
  list.setEncoding('utf8');
  try {
    for await (const piece of list) text += piece;
    return [text, false];
  } catch {
    return [text, true];
  }
};

test('long lists whose connections break, break off, and others take their place', async () => {
  const { origin, relay, url } = await openThrough();
  const store = await openStore(url, catalogue);
  await createCar(store, 'kept');
  await inPortions(1_500, (at) => createOil(store, 'kept', `oil ${at}`));
  await store.close();
  const lists = [`${origin}/api/cars/kept/oils`, `${origin}/api/coches/kept/aceites`];
  relay.inspect({ answered: (piece) => (/oil 12\d\d/.test(piece.toString('latin1')) ? 'cut' : 'pass') });
  // More often than there are places for long lists.
  for (let round = 0; round < 3; round++) {
    for (const [text, isBroken] of await Promise.all(lists.map(async (list) => readOn(await begin(list))))) {
      expect([text.includes('oil 400'), isBroken]).toEqual([true, true]);
      expect(() => JSON.parse(text)).toThrow();
    }
  }
  relay.inspect({});
  for (const list of lists) expect(await (await fetch(list)).json()).toHaveLength(1_500);
});
