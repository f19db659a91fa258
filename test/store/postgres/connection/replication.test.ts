/** A primary and a replica that takes its place: which of them is used. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { carsListed, createCar } from '../../../support/conformance/fixtures.ts';
import { noServer } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../../../support/database/postgres-server.ts';
import { openRelay } from '../../../support/faults/relay.ts';

const PATIENT = { timeout: 60_000, interval: 20 };
const settings = { unix_socket_directories: '/tmp', autovacuum: 'off' };

const open = async (url: string, lines: string[] = []): Promise<Store> => {
  const store = await openStore(url, catalogue, { pool: 2, timeout: 1_000, report: (line) => lines.push(line) });
  onTestFinished(() => store.close());
  return store;
};

/** @returns what became of the write */
const create = (store: Store, identifier: string): Promise<string> =>
  createCar(store, identifier).then(
    ({ kind }) => kind,
    (error) => error.code,
  );

/** One test after the other: each leaves the servers as the next one finds them. */
describe.skipIf(noServer)(`a primary and a replica${noServer ? `: ${noServer}` : ''}`, () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  beforeAll(async () => {
    primary = await startPostgres({ settings });
    await (await openStore(primary.url(), catalogue)).close();
    await primary.stop();
    replica = await startPostgres({ primary, settings });
    await primary.start();
  });
  afterAll(() => Promise.all([replica?.remove(), primary?.remove()]));

  const isFollowed = (count: number): Promise<void> =>
    expect.poll(() => query(replica.url(), 'SELECT count(*)::int AS n FROM "cars"'), PATIENT).toEqual([{ n: count }]);

  test('a server is reached by its address, and by a socket', async () => {
    expect(await create(await open(`postgres://postgres@127.0.0.1:${primary.port}/postgres`), 'a')).toBe('written');
    expect(await create(await open(`postgres://postgres@/postgres?host=/tmp&port=${primary.port}`), 'b')).toBe(
      'written',
    );
    await isFollowed(2);
  });

  test('the replica is read while it may not be written to, and written to when it takes its primary’s place', async () => {
    const relay = await openRelay(primary.port);
    const lines: string[] = [];
    const led = await open(`postgres://postgres@127.0.0.1:${relay.port}/postgres`, lines);
    expect(await create(led, 'c')).toBe('written');
    await isFollowed(3);
    await primary.stop('SIGKILL');
    relay.lead(replica.port);
    await expect.poll(() => carsListed(led).catch(String), PATIENT).toEqual(['a', 'b', 'c']);
    expect([await led.ready(true), await led.ready()]).toEqual([false, true]);
    expect(await create(led, 'e')).toBe('unavailable');
    expect(lines).toEqual([
      expect.stringMatching(/takes no writes: it is a standby: lead DATABASE_URL to the primary, or promote it$/),
    ]);
    await query(replica.url(), 'SELECT pg_promote()');
    await expect.poll(() => create(led, 'f'), PATIENT).toBe('written');
    expect(await led.ready(true)).toBe(true);
    await expect.poll(() => lines.slice(1), PATIENT).toEqual([expect.stringMatching(/takes writes again$/)]);
  });

  test('a server that is read-only now is left for the one that the address leads to', async () => {
    await primary.start();
    const relay = await openRelay(primary.port);
    const store = await open(`postgres://postgres@127.0.0.1:${relay.port}/postgres`);
    expect(await create(store, 'before')).toBe('written');
    await query(primary.url(), 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()');
    const setting = () => query(primary.url(), 'SHOW default_transaction_read_only');
    await expect.poll(setting, PATIENT).toEqual([{ default_transaction_read_only: 'on' }]);
    relay.lead(replica.port);
    await expect.poll(() => create(store, 'after'), PATIENT).toBe('written');
    const found = 'SELECT 1 FROM "cars" WHERE "identifier" = \'after\'';
    expect([await query(primary.url(), found), await query(replica.url(), found)]).toEqual([[], [{ '?column?': 1 }]]);
  });
});
