/** A database that is gone for a while. What befalls its server itself is in `test/soak/postgres/outages.soak.ts`. */
import { describe, expect, test } from 'vitest';
import { preparedDatabase } from '../../../support/database/database.ts';
import { query } from '../../../support/database/postgres.ts';
import { interruptions, type Outage, type Reached, type Upset } from '../../../support/faults/interruptions.ts';
import { COMMITTED } from '../../../support/faults/relay.ts';
import { openSocket, received } from '../../../support/process/service.ts';

const outages: readonly Outage<Reached>[] = [
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

const END_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const upsets: readonly Upset<Reached>[] = [
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
  ['is told to end every session', 2, ({ database }) => query(database.url, END_SESSIONS)],
];

describe('a service whose PostgreSQL', () => {
  const place = interruptions(async (whenOver) => ({ url: await preparedDatabase(whenOver) }), { outages, upsets });

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
    expect(performance.now() - since).toBeLessThan(10_000);
    expect(await answered).toContain('HTTP/1.1 503 ');
  });
});
