/** A database that is there and has no time: statements, connections and locks that take too long. */
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../src/catalogue.ts';
import { openStore } from '../../src/store/open.ts';
import { cars, createCar, createOil } from '../support/conformance/fixtures.ts';
import { emptyDatabase } from '../support/database.ts';
import { openSession } from '../support/own-postgres.ts';
import { openRelay } from '../support/relay.ts';
import { serve } from '../support/service.ts';
import { expectReadiness, expectRefusals } from '../support/speaking-503.ts';

const limits = { DATABASE_TIMEOUT: '1000', DATABASE_POOL: '2' };
const KEPT = { identifier: 'kept', brand: 'Seat', model: 'Ibiza' };

const post = (origin: string, body: object): Promise<Response> =>
  fetch(`${origin}/api/cars`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** A service with a car, and a session of somebody else's on its database. */
const openPlace = async () => {
  const url = await emptyDatabase();
  const service = await serve({ env: { DATABASE_URL: url, ...limits } });
  expect((await post(service.origin, KEPT)).status).toBe(201);
  return { url, service, origin: service.origin, ...(await openSession(url)) };
};

const all = async (origin: string): Promise<unknown> => (await fetch(`${origin}/api/cars`)).json();

/** Sessions of the service that do something or wait for it. */
const BUSY =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'";

describe('a service whose database is held up', () => {
  test('by a lock on its tables says so in time, and leaves no statement behind', async () => {
    const { origin, run, url } = await openPlace();
    await run('BEGIN; LOCK TABLE "cars" IN ACCESS EXCLUSIVE MODE');
    await expectRefusals(origin);
    const watcher = await openSession(url);
    await expect.poll(() => watcher.run(BUSY), { timeout: 5_000, interval: 20 }).toHaveLength(1);
    await run('ROLLBACK');
    expect(await all(origin)).toEqual([KEPT]);
    expect((await post(origin, { ...KEPT, identifier: 'after' })).status).toBe(201);
  });

  test('by a writer that takes its time answers reads, and refuses writes that are then not done', async () => {
    const { origin, run } = await openPlace();
    await run('BEGIN; SELECT * FROM "_change" FOR UPDATE');
    const writes = Array.from({ length: 10 }, (_, at) => post(origin, { ...KEPT, identifier: `late-${at}` }));
    expect(await all(origin)).toEqual([KEPT]);
    for (const answer of await Promise.all(writes)) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    }
    await run('ROLLBACK');
    const after = await post(origin, { ...KEPT, identifier: 'after' });
    expect([after.status, after.headers.get('etag')]).toEqual([201, '"2-en"']);
    expect(await all(origin)).toEqual([KEPT, { ...KEPT, identifier: 'after' }]);
  });

  test('so that no connection is free is not ready, and is ready again by itself', async () => {
    const { origin, run } = await openPlace();
    await run('BEGIN; LOCK TABLE "cars" IN ACCESS EXCLUSIVE MODE');
    let isOver = false;
    const askOn = async (): Promise<void> => {
      while (!isOver) expect((await fetch(`${origin}/api/coches/kept`)).status).toBe(503);
    };
    const clients = Promise.all(Array.from({ length: 8 }, askOn));
    await expectReadiness(origin, false);
    isOver = true;
    await clients;
    await run('ROLLBACK');
    await expectReadiness(origin, true);
    expect(await all(origin)).toEqual([KEPT]);
  });

  test('so that it lets nobody in goes on when it does', async () => {
    const { origin, url, service } = await openPlace();
    const elsewhere = new URL(url);
    const name = elsewhere.pathname.slice(1);
    elsewhere.pathname = '/postgres';
    const { run } = await openSession(elsewhere.href);
    await run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    await expectReadiness(origin, false);
    await expectRefusals(origin);
    await run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await expectReadiness(origin, true);
    expect(await all(origin)).toEqual([KEPT]);
    expect(await service.end('SIGTERM')).toBe(0);
  });

  test('by another instance that fell silent in the middle of a write goes on without it', async () => {
    const { origin, url } = await openPlace();
    const relay = await openRelay(Number(new URL(url).port));
    const through = new URL(url);
    through.port = String(relay.port);
    const other = await serve({ env: { DATABASE_URL: through.href, ...limits } });
    expect((await fetch(`${other.origin}/api/coches/kept`)).status).toBe(200);
    relay.inspect({
      answered: () => {
        relay.setSilent(true);
        return 'pass';
      },
    });
    const lost = post(other.origin, { ...KEPT, identifier: 'lost' });
    const { run } = await openSession(url);
    const held = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'";
    await expect.poll(() => run(held), { timeout: 5_000, interval: 5 }).toHaveLength(1);
    const statusOf = async () => (await post(origin, { ...KEPT, identifier: 'after' })).status;
    await expect.poll(statusOf, { timeout: 5_000, interval: 5 }).toBe(201);
    expect((await lost).status).toBe(503);
    relay.inspect({});
    relay.setSilent(false);
    await expectReadiness(other.origin, true);
    expect(await all(other.origin)).toEqual([KEPT, { ...KEPT, identifier: 'after' }]);
  });
});

test('a thousand requests wait for a connection, one more is refused at once', async () => {
  const url = await emptyDatabase();
  const store = await openStore(url, catalogue, { pool: 1, timeout: 300 });
  onTestFinished(async () => store.close());
  await createCar(store, 'a');
  const { run } = await openSession(url);
  await run('BEGIN; LOCK TABLE "cars" IN ACCESS EXCLUSIVE MODE');
  const ends = await Promise.allSettled(Array.from({ length: 1_001 }, async () => store.get(cars, ['a'])));
  const causes = ends.map((end) => end.status === 'rejected' && end.reason.cause.message);
  expect(causes.filter((cause) => cause === 'too many requests wait for a connection')).toHaveLength(1);
  expect(causes.filter((cause) => cause === false)).toEqual([]);
  await run('ROLLBACK');
  const again = await Promise.all(Array.from({ length: 20 }, async () => store.get(cars, ['a'])));
  expect(again.every((row) => row?.[1] === 'a')).toBe(true);
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

test('long lists whose sessions are ended break off, and others take their place', async () => {
  const { origin, run, url } = await openPlace();
  const store = await openStore(url, catalogue);
  // Some 15 MB: more than every buffer on the way holds.
  const otherInfo = 'x'.repeat(10_000);
  await Promise.all(Array.from({ length: 1_500 }, (_, at) => createOil(store, 'kept', `oil-${at}`, { otherInfo })));
  await store.close();
  for (let round = 0; round < 2; round++) {
    const lists = await Promise.all([`${origin}/api/cars/kept/oils`, `${origin}/api/coches/kept/aceites`].map(begin));
    const refused = await fetch(`${origin}/api/coches/kept/aceites`);
    expect([refused.status, refused.headers.get('content-language')]).toEqual([503, 'es']);
    await run(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    for (const [text, isBroken] of await Promise.all(lists.map(readOn))) {
      expect(isBroken).toBe(true);
      expect(() => JSON.parse(text)).toThrow();
    }
  }
  expect(await (await fetch(`${origin}/api/cars/kept/oils`)).json()).toHaveLength(1_500);
});
