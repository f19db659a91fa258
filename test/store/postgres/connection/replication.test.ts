/** A primary and a replica that takes its place: which of them is used. */
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../../../src/store/store.ts';
import { carsListed, createCar, fillFile } from '../../../support/conformance/fixtures.ts';
import { openForTest } from '../../../support/database/database.ts';
import { noServer } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';
import { startPostgres } from '../../../support/database/postgres-server.ts';
import { openRelay } from '../../../support/faults/relay.ts';

const PATIENT = { timeout: 60_000, interval: 20 };
const settings = { unix_socket_directories: '/tmp', autovacuum: 'off' };

const open = (url: string, lines: string[] = []) =>
  openForTest(url, { pool: 2, timeout: 1_000, report: (line) => lines.push(line) });

/** @returns what became of the write */
const create = (store: Store, identifier: string): Promise<string> =>
  createCar(store, identifier).then(
    ({ kind }) => kind,
    (error) => error.code,
  );

// One test, because each step leaves the servers as the next one finds them, and a second try needs new ones.
test.skipIf(noServer)(
  `a replica is read while it may not be written to${noServer ? `: ${noServer}` : ''}`,
  async () => {
    const primary = await startPostgres({ settings });
    onTestFinished(primary.remove);
    await fillFile(primary.url());
    await primary.stop();
    const replica = await startPostgres({ primary, settings });
    onTestFinished(replica.remove);
    await primary.start();

    // A server is reached by its address, and by a socket.
    for (const [key, url] of [
      ['a', `postgres://postgres@127.0.0.1:${primary.port}/postgres`],
      ['b', `postgres://postgres@/postgres?host=/tmp&port=${primary.port}`],
    ] as const) {
      expect(await create(await open(url), key)).toBe('written');
    }
    const relay = await openRelay(primary.port);
    const lines: string[] = [];
    const led = await open(`postgres://postgres@127.0.0.1:${relay.port}/postgres`, lines);
    expect(await create(led, 'c')).toBe('written');
    const count = () => query(replica.url(), 'SELECT count(*)::int AS n FROM "cars"');
    await expect.poll(count, PATIENT).toEqual([{ n: 3 }]);

    // The replica is written to when it takes its primary's place.
    await primary.stop('SIGKILL');
    relay.lead(replica.port);
    await expect.poll(() => carsListed(led).catch(String), PATIENT).toEqual(['a', 'b', 'c']);
    expect([await led.ready(true), await led.ready()]).toEqual([false, true]);
    expect(await create(led, 'e')).toBe('unavailable');
    const told = /takes no writes: cannot execute INSERT in a read-only transaction$/;
    expect(lines).toEqual([expect.stringMatching(told)]);
    await query(replica.url(), 'SELECT pg_promote()');
    await expect.poll(() => create(led, 'f'), PATIENT).toBe('written');
    await expect.poll(() => led.ready(true), PATIENT).toBe(true);
    await expect.poll(() => lines.slice(1), PATIENT).toEqual([expect.stringMatching(/takes writes again$/)]);

    // A server that is read-only now is left for the one that the address leads to.
    await primary.start();
    const other = await openRelay(primary.port);
    const store = await open(`postgres://postgres@127.0.0.1:${other.port}/postgres`);
    expect(await create(store, 'before')).toBe('written');
    await query(primary.url(), 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()');
    const setting = () => query(primary.url(), 'SHOW default_transaction_read_only');
    await expect.poll(setting, PATIENT).toEqual([{ default_transaction_read_only: 'on' }]);
    other.lead(replica.port);
    await expect.poll(() => create(store, 'after'), PATIENT).toBe('written');
    const found = 'SELECT 1 FROM "cars" WHERE "identifier" = \'after\'';
    expect([await query(primary.url(), found), await query(replica.url(), found)]).toEqual([[], [{ '?column?': 1 }]]);
  },
);
