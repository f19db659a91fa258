/** A database that is gone for a while, under clients that write: what the service answers meanwhile, and that it goes on by itself. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { preparedDatabase } from '../../../support/database/database.ts';
import { openSession } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';
import { expectReadiness, expectRefusals } from '../../../support/faults/expect-unavailable.ts';
import { emptyPersistentLedger } from '../../../support/faults/persistent-writers.ts';
import { COMMITTED, openRelay } from '../../../support/faults/relay.ts';
import { expectAll, underLoad } from '../../../support/faults/under-load.ts';
import { shared, type WhenOver } from '../../../support/process/folder.ts';
import { openSocket, received, serve } from '../../../support/process/service.ts';

const KEPT = { identifier: 'kept', brand: 'Seat', model: 'Ibiza', enginePower: 1, version: 'mark 1' };

/** A service that reaches its database through a relay. */
const openPlace = async (whenOver: WhenOver) => {
  const direct = await preparedDatabase(whenOver);
  const url = new URL(direct);
  const relay = await openRelay(Number(url.port), whenOver);
  url.port = String(relay.port);
  const env = { DATABASE_URL: url.href, DATABASE_TIMEOUT: '1000', DATABASE_POOL: '4', CLIENT_SHARE: '100' };
  const service = await serve({ env, whenOver });
  expect((await service.send('POST', '/api/cars', KEPT)).status).toBe(201);
  return { direct, relay, service };
};
type Place = Awaited<ReturnType<typeof openPlace>>;

/** What lasts until it is mended. */
const outages: readonly (readonly [name: string, set: (place: Place, isGone: boolean) => unknown])[] = [
  ['cannot be reached', ({ relay }, isGone) => relay.setReachable(!isGone)],
  ['is cut off without a word', ({ relay }, isGone) => relay.setSilent(isGone)],
  [
    'lets nobody in',
    ({ direct }, isGone) => {
      const url = new URL(direct);
      const name = url.pathname.slice(1);
      url.pathname = '/postgres';
      const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
      return query(url.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${!isGone}`, end);
    },
  ],
];

const OTHERS = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

/** What is over by itself. */
const upsets: readonly (readonly [name: string, strike: (place: Place) => Promise<unknown>])[] = [
  [
    'breaks every connection before a commit is acknowledged',
    ({ relay }) =>
      new Promise<void>((resolve) => {
        relay.inspect({
          answered: (piece) => {
            if (!piece.includes(COMMITTED)) return 'pass';
            relay.inspect({});
            relay.cut();
            resolve();
            return 'cut';
          },
        });
      }),
  ],
  ['is told to end every session', ({ direct }) => query(direct, `SELECT pg_terminate_backend(pid) ${OTHERS}`)],
];

/** One service for the tests, one after the other: it goes on after each, but for the last. */
describe('a service whose PostgreSQL', () => {
  const place = shared(openPlace);
  const known = new Map([['kept', 1]]) as ReturnType<typeof emptyPersistentLedger>['known'];
  const load = () => {
    const { origin } = place().service;
    const ledger = { ...emptyPersistentLedger(), known };
    return { origin, ledger, ...underLoad(origin, ledger) };
  };

  test.each(outages)('%s answers 503 in time, in the right language, and goes on afterwards', async (_, set) => {
    const { origin, ledger, more, stop } = load();
    await more();
    onTestFinished(async () => void (await set(place(), false)));
    await set(place(), true);
    await expectReadiness(origin, false);
    await expectRefusals(origin);
    await set(place(), false);
    await expectReadiness(origin, true);
    await more();
    await stop();
    expect(ledger.counts.refused).toBeGreaterThan(0);
    await expectAll(origin, ledger);
    expect(ledger.counts.broken).toBe(0);
  });

  test('is locked says so in time, is not ready while no connection is free, and has no statement left to do', async () => {
    const { direct, service } = place();
    const { run } = await openSession(direct);
    const watcher = await openSession(direct);
    await run('BEGIN; LOCK TABLE "cars" IN ACCESS EXCLUSIVE MODE');
    let isOver = false;
    const askOn = async (): Promise<void> => {
      while (!isOver) expect((await fetch(`${service.origin}/api/coches?pagina=1`)).status).toBe(503);
    };
    const clients = Promise.all(Array.from({ length: 8 }, askOn));
    await expectReadiness(service.origin, false);
    isOver = true;
    await clients;
    await expectRefusals(service.origin);
    // The one that holds the lock.
    const busy = `SELECT 1 ${OTHERS} AND state <> 'idle'`;
    await expect.poll(() => watcher.run(busy), { timeout: 30_000, interval: 20 }).toHaveLength(1);
    await run('ROLLBACK');
    await expectReadiness(service.origin, true);
  });

  test.each(upsets)('%s loses nothing and does nothing twice', async (_, strike) => {
    const { origin, ledger, more, stop } = load();
    await more();
    await strike(place());
    await expectReadiness(origin, true);
    await more();
    await stop();
    await expectAll(origin, ledger);
    expect(ledger.counts.broken).toBe(0);
  });

  test('is cut off without a word ends in time when it is told to', async () => {
    const { relay, service } = place();
    relay.setSilent(true);
    const socket = await openSocket(service.port);
    const answered = received(socket, '"unavailable"');
    const begun = received(socket, '"ok"');
    // Sent together: with the first answer the second request is known to have arrived.
    const asked = ['/livez', '/api/coches/kept'].map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    socket.write(asked.join(''));
    await begun;
    const since = performance.now();
    expect(await service.end('SIGTERM')).toBe(0);
    expect(performance.now() - since).toBeLessThan(20_000);
    expect(await answered).toContain('HTTP/1.1 503 ');
  });
});
