/** A database that is gone for a while: what a running service answers meanwhile, and that it goes on by itself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freeze, noServer } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../../../support/database/postgres-server.ts';
import { expectReadiness, expectRefusals } from '../../../support/faults/expect-unavailable.ts';
import { emptyLedger } from '../../../support/faults/persistent-writers.ts';
import { COMMITTED, openRelay, type Relay } from '../../../support/faults/relay.ts';
import { expectAll, underLoad } from '../../../support/faults/under-load.ts';
import type { WhenOver } from '../../../support/process/folder.ts';
import { openSocket, received, type Serving, serve } from '../../../support/process/service.ts';

interface Place {
  readonly server: PostgresServer;
  readonly relay: Relay;
}
type Mend = () => void | Promise<void>;

const stopped =
  (signal: NodeJS.Signals) =>
  async ({ server }: Place): Promise<Mend> => {
    await server.stop(signal);
    return server.start;
  };

/** Each until it is mended. */
const outages: readonly [name: string, strike: (place: Place) => Promise<Mend>][] = [
  ['is shut down', stopped('SIGINT')],
  ['is shut down without a word to its clients', stopped('SIGQUIT')],
  ['is killed', stopped('SIGKILL')],
  ['is frozen', ({ server }) => freeze(server)],
  [
    'cannot be reached',
    async ({ relay }) => {
      relay.setReachable(false);
      return () => relay.setReachable(true);
    },
  ],
  [
    'is cut off without a word',
    async ({ relay }) => {
      relay.setSilent(true);
      return () => relay.setSilent(false);
    },
  ],
];

const SESSIONS = "FROM pg_stat_activity WHERE application_name = 'car-dealer-catalogue'";

/** Each over by itself, again and again. */
const upsets: readonly [name: string, times: number, strike: (place: Place) => Promise<void>][] = [
  ['breaks every connection', 3, async ({ relay }) => relay.cut()],
  [
    'breaks every connection before a commit is acknowledged',
    6,
    ({ relay }) =>
      new Promise((resolve) => {
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
  [
    'is told to end every session',
    3,
    async ({ server }) => {
      await query(server.url(), `SELECT pg_terminate_backend(pid) ${SESSIONS}`);
    },
  ],
  [
    'loses a process and recovers from that',
    2,
    async ({ server }) => {
      const [found] = (await query(server.url(), `SELECT pid ${SESSIONS} LIMIT 1`)) as readonly { pid: number }[];
      process.kill(found?.pid ?? 0, 'SIGKILL');
    },
  ],
  [
    'is restarted',
    2,
    async ({ server }) => {
      await server.stop('SIGINT');
      await server.start();
    },
  ],
];

const KEPT = { identifier: 'kept', brand: 'Seat', model: 'Ibiza', enginePower: 1, version: 'mark 1' };

/** One service for all of them, one test after the other: it goes on after each. */
describe.skipIf(noServer)(`a service whose PostgreSQL${noServer ? `: ${noServer}` : ''}`, () => {
  let server: PostgresServer;
  let relay: Relay;
  let service: Serving;
  const { known } = emptyLedger();
  const cleanUps: (() => void)[] = [];
  const whenOver: WhenOver = (cleanUp) => void cleanUps.push(cleanUp);
  beforeAll(async () => {
    server = await startPostgres();
    relay = await openRelay(server.port, whenOver);
    service = await serve({
      env: {
        DATABASE_URL: `postgres://postgres@127.0.0.1:${relay.port}/postgres`,
        DATABASE_TIMEOUT: '1000',
        DATABASE_POOL: '4',
      },
      whenOver,
    });
    const answer = await fetch(`${service.origin}/api/cars`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(KEPT),
    });
    expect(answer.status).toBe(201);
    known.set('kept', 1);
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) cleanUp();
    await server?.remove();
  });

  const load = () => {
    const ledger = { ...emptyLedger(), known };
    return { ledger, ...underLoad(service.origin, ledger) };
  };

  test.each(outages)('%s answers 503 in time, in the right language, and goes on afterwards', async (_, strike) => {
    const { ledger, more, stop } = load();
    await more();
    const mend = await strike({ server, relay });
    await expectReadiness(service.origin, false);
    await expectRefusals(service.origin);
    await mend();
    await expectReadiness(service.origin, true);
    await more();
    await stop();
    expect(ledger.counts.refused).toBeGreaterThan(0);
    await expectAll(service.origin, ledger);
    expect(ledger.counts.broken).toBe(0);
  });

  test.each(upsets)('%s loses nothing and does nothing twice', async (_, times, strike) => {
    const { ledger, more, stop } = load();
    for (let time = 0; time < times; time++) {
      await more();
      await strike({ server, relay });
    }
    await expectReadiness(service.origin, true);
    await more();
    await stop();
    await expectAll(service.origin, ledger);
    expect(ledger.counts.broken).toBe(0);
  });

  test('is frozen ends in time when it is told to', async () => {
    const thaw = await freeze(server);
    const socket = await openSocket(service.port);
    const answered = received(socket, '"unavailable"');
    const begun = received(socket, '"ok"');
    // Sent together: with the first answer the second request is known to have arrived.
    const asked = ['/livez', '/api/coches/kept'].map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    socket.write(asked.join(''));
    await begun;
    const since = performance.now();
    expect(await service.end('SIGTERM')).toBe(0);
    expect(performance.now() - since).toBeLessThan(10_000);
    expect(await answered).toContain('HTTP/1.1 503 ');
    await thaw();
  });
});
