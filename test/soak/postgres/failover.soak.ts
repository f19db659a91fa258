/** A replica that takes its primary's place behind the same address. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noServer, openSession } from '../../support/database/own-postgres.ts';
import { query } from '../../support/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../../support/database/postgres-server.ts';
import { expectReadiness } from '../../support/faults/expect-unavailable.ts';
import { emptyPersistentLedger } from '../../support/faults/persistent-writers.ts';
import { openRelay, type Relay } from '../../support/faults/relay.ts';
import { expectAll, underLoad } from '../../support/faults/under-load.ts';
import { serve } from '../../support/process/service.ts';

const PATIENT = { timeout: 40_000, interval: 20 };

const post = async (origin: string, identifier: string): Promise<number> => {
  const answer = await fetch(`${origin}/api/cars`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier, brand: 'Seat', model: 'Ibiza', enginePower: 1, version: 'mark 1' }),
  });
  return answer.status;
};

const serveThrough = ({ port }: Relay) =>
  serve({ env: { DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`, DATABASE_TIMEOUT: '1000' } });

/** One test after the other: each leaves the servers as the next one finds them. */
describe.skipIf(noServer)(`a service with a primary and a replica${noServer ? `: ${noServer}` : ''}`, () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  beforeAll(async () => {
    primary = await startPostgres();
    await primary.stop();
    replica = await startPostgres({ primary });
    await primary.start();
  });
  afterAll(() => Promise.all([replica?.remove(), primary?.remove()]));

  const isFollowed = async (): Promise<void> => {
    const { run, end } = await openSession(primary.url());
    await expect
      .poll(() => run("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"), PATIENT)
      .toHaveLength(1);
    await end();
  };

  test('acknowledges no write that the replica must have and has not', async () => {
    const { origin } = await serveThrough(await openRelay(primary.port));
    expect(await post(origin, 'alone')).toBe(201);
    // An acknowledged write is one that the replica has too.
    await query(primary.url(), "ALTER SYSTEM SET synchronous_standby_names = '*'", 'SELECT pg_reload_conf()');
    await isFollowed();
    expect(await post(origin, 'followed')).toBe(201);
    await replica.stop();
    expect(await post(origin, 'unfollowed')).toBe(503);
    await replica.start();
    await expect.poll(() => post(origin, 'again'), PATIENT).toBe(201);
    await isFollowed();
    await expectReadiness(origin, true);
    await query(primary.url(), 'TRUNCATE "cars", "oils"');
  });

  test('goes on with the replica when the primary is killed, and has everything', async () => {
    const relay = await openRelay(primary.port);
    const { origin, end } = await serveThrough(relay);
    const ledger = emptyPersistentLedger();
    expect(await post(origin, 'kept')).toBe(201);
    ledger.known.set('kept', 1);
    const { more, stop } = underLoad(origin, ledger);
    await more();
    await primary.stop('SIGKILL');
    await expectReadiness(origin, false);

    relay.lead(replica.port);
    // It may be read, but not be written to, before it takes the primary's place.
    await expect.poll(async () => (await fetch(`${origin}/api/cars/kept`)).status, PATIENT).toBe(200);
    await expectReadiness(origin, true);
    const spanish = await fetch(`${origin}/api/coches/kept`);
    expect(await spanish.json()).toMatchObject({ identificador: 'kept', marca: 'Seat' });
    expect(await post(origin, 'refused')).toBe(503);

    await query(replica.url(), 'SELECT pg_promote()');
    await more();
    await stop();
    expect(ledger.counts.refused).toBeGreaterThan(0);
    await expectAll(origin, ledger);
    expect(ledger.counts.broken).toBe(0);
    expect(await end('SIGTERM')).toBe(0);
  });
});
