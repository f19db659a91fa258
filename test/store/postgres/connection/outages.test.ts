/** A database that is gone for a while, under clients that write: what the service answers meanwhile, and that it goes on by itself. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { preparedDatabase } from '../../../support/database/database.ts';
import { query } from '../../../support/database/postgres.ts';
import { expectReadiness, expectRefusals } from '../../../support/faults/expect-unavailable.ts';
import { emptyPersistentLedger } from '../../../support/faults/persistent-writers.ts';
import { COMMITTED, openRelay, type Relay } from '../../../support/faults/relay.ts';
import { expectAll, underLoad } from '../../../support/faults/under-load.ts';
import type { WhenOver } from '../../../support/process/folder.ts';
import { openSocket, received, serve } from '../../../support/process/service.ts';

const KEPT = { identifier: 'kept', brand: 'Seat', model: 'Ibiza', enginePower: 1, version: 'mark 1' };

/** A service that reaches its database through a relay. */
const openPlace = async (whenOver: WhenOver) => {
  const direct = await preparedDatabase(whenOver);
  const url = new URL(direct);
  const relay = await openRelay(Number(url.port), whenOver);
  url.port = String(relay.port);
  const env = { DATABASE_URL: url.href, DATABASE_TIMEOUT: '1000', DATABASE_POOL: '4' };
  const service = await serve({ env, whenOver });
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(KEPT);
  expect((await fetch(`${service.origin}/api/cars`, { method: 'POST', headers, body })).status).toBe(201);
  return { direct, relay, service };
};
type Place = Awaited<ReturnType<typeof openPlace>>;

/** What lasts until it is mended. */
const outages: readonly (readonly [name: string, set: (relay: Relay, isGone: boolean) => void])[] = [
  ['cannot be reached', (relay, isGone) => relay.setReachable(!isGone)],
  ['is cut off without a word', (relay, isGone) => relay.setSilent(isGone)],
];

const END_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** What is over by itself, and comes several times. */
const upsets: readonly (readonly [name: string, times: number, strike: (place: Place) => Promise<unknown>])[] = [
  [
    'breaks every connection before a commit is acknowledged',
    3,
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
  ['is told to end every session', 2, ({ direct }) => query(direct, END_SESSIONS)],
];

/** One service for the tests, one after the other: it goes on after each. */
describe('a service whose PostgreSQL', () => {
  let place: Place;
  const cleanUps: (() => unknown)[] = [];
  beforeAll(async () => {
    place = await openPlace((cleanUp) => void cleanUps.push(cleanUp));
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });
  const known = new Map([['kept', 1]]) as ReturnType<typeof emptyPersistentLedger>['known'];
  const load = () => {
    const { origin } = place.service;
    const ledger = { ...emptyPersistentLedger(), known };
    return { origin, ledger, ...underLoad(origin, ledger) };
  };

  test.each(outages)('%s answers 503 in time, in the right language, and goes on afterwards', async (_, set) => {
    const { origin, ledger, more, stop } = load();
    await more();
    onTestFinished(() => set(place.relay, false));
    set(place.relay, true);
    await expectReadiness(origin, false);
    await expectRefusals(origin);
    set(place.relay, false);
    await expectReadiness(origin, true);
    await more();
    await stop();
    expect(ledger.counts.refused).toBeGreaterThan(0);
    await expectAll(origin, ledger);
    expect(ledger.counts.broken).toBe(0);
  });

  test.each(upsets)('%s loses nothing and does nothing twice', async (_, times, strike) => {
    const { origin, ledger, more, stop } = load();
    for (let time = 0; time < times; time++) {
      await more();
      await strike(place);
    }
    await expectReadiness(origin, true);
    await more();
    await stop();
    await expectAll(origin, ledger);
    expect(ledger.counts.broken).toBe(0);
  });

  test('is cut off without a word ends in time when it is told to', async () => {
    const { relay, service } = await openPlace(onTestFinished);
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
