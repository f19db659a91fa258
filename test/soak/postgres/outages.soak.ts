/** What befalls the server of a service's database: it is shut down, killed, frozen, restarted. */
import { describe } from 'vitest';
import { freeze, noServer } from '../../support/database/own-postgres.ts';
import { query } from '../../support/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../../support/database/postgres-server.ts';
import { interruptions, type Outage, type Reached, type Upset } from '../../support/faults/interruptions.ts';

interface Own extends Reached {
  readonly server: PostgresServer;
}

const stopped =
  (signal: NodeJS.Signals): Outage<Own>[1] =>
  async ({ database: { server } }) => {
    await server.stop(signal);
    return server.start;
  };

const outages: readonly Outage<Own>[] = [
  ['is shut down', stopped('SIGINT')],
  ['is shut down without a word to its clients', stopped('SIGQUIT')],
  ['is killed', stopped('SIGKILL')],
  ['is frozen', ({ database: { server } }) => freeze(server)],
];

const SESSIONS = "FROM pg_stat_activity WHERE application_name LIKE 'car-dealer-catalogue%'";

const upsets: readonly Upset<Own>[] = [
  ['breaks every connection', 20, async ({ relay }) => relay.cut()],
  [
    'loses a process and recovers from that',
    5,
    async ({ database: { server } }) => {
      const [found] = (await query(server.url(), `SELECT pid ${SESSIONS} LIMIT 1`)) as readonly { pid: number }[];
      process.kill(found?.pid ?? 0, 'SIGKILL');
    },
  ],
  [
    'is restarted',
    5,
    async ({ database: { server } }) => {
      await server.stop('SIGINT');
      await server.start();
    },
  ],
];

describe.skipIf(noServer)(`a service whose PostgreSQL${noServer ? `: ${noServer}` : ''}`, () => {
  interruptions(
    async (whenOver) => {
      const server = await startPostgres();
      whenOver(() => void server.remove());
      return { server, url: server.url() };
    },
    { outages, upsets },
  );
});
