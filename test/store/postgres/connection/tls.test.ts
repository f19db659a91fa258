/** A server with a certificate that no public authority has signed, which asks one of its users for a password. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { cars, createCar, queryOf } from '../../../support/conformance/fixtures.ts';
import { noServer, openSession } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';
import { identity, startPostgres } from '../../../support/database/postgres-server.ts';
import { getItem, openList, summarize } from '../../../support/database/reads.ts';
import { shared, temporaryFolder } from '../../../support/process/folder.ts';

const noTls = spawnSync('openssl', ['version']).error ? 'there is no openssl' : noServer;

describe.skipIf(noTls)(`a database over TLS${noTls ? `: ${noTls}` : ''}`, () => {
  const place = shared(async (whenOver) => {
    const folder = temporaryFolder(whenOver);
    const [certificate, key, rules] = ['server.crt', 'server.key', 'pg_hba.conf'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 2'.split(' ');
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    writeFileSync(rules, 'local all all trust\nhost all dealer all scram-sha-256\nhost all all all trust\n');
    // The server's user is another.
    chmodSync(folder, 0o755);
    const { uid, gid } = identity;
    if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
    const ssl = { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key };
    const server = await startPostgres({ settings: { ...ssl, hba_file: rules } });
    whenOver(server.remove);
    await query(server.url(), "CREATE ROLE dealer LOGIN SUPERUSER PASSWORD 's3cret'");
    return { certificate, server };
  });

  const urlWith = (parameters: string, host = 'localhost', user = 'postgres'): string =>
    `postgres://${user}@${host}:${place().server.port}/postgres?${parameters}`;
  const trusted = (): string => `sslrootcert=${encodeURIComponent(place().certificate)}`;

  test.each([
    ['dealer:s3cret', undefined],
    ['dealer', 'the server wants a password, and the URL has none'],
    ['dealer:', 'the server wants a password, and the URL has none'],
    ['dealer:other', 'password authentication failed for user "dealer"'],
  ])('of %s, of whom a password is asked', async (user, fault) => {
    const url = urlWith('sslmode=no-verify', 'localhost', user);
    const opened = openStore(url, catalogue).then(
      (store) => store.close(),
      (error: Error) => error.message,
    );
    expect(await opened).toBe(fault && `postgres://localhost:${place().server.port}/postgres: ${fault}`);
  });

  test.each(['sslmode=require', 'sslmode=verify-full'])(
    'refuses a certificate that it does not trust: %s',
    async (mode) => {
      await expect(openStore(urlWith(mode), catalogue)).rejects.toThrow(
        /: its certificate is of no authority that is trusted here: sslrootcert=<file> names one of your own$/,
      );
    },
  );

  test('refuses a certificate of another name', async () => {
    const url = urlWith(`sslmode=require&${trusted()}`, '127.0.0.1');
    await expect(openStore(url, catalogue)).rejects.toThrow(/does not match certificate/);
  });

  test.each(['sslmode=require', 'sslmode=verify-full'])(
    'is written to and read if the certificate is trusted: %s',
    async (mode) => {
      const store = await openStore(urlWith(`${mode}&${trusted()}`), catalogue);
      await createCar(store, mode);
      expect((await getItem(store, cars, [mode]))?.[1]).toBe(mode);
      expect((await summarize(store, cars, [], queryOf(cars, { filters: { version: ['x'] } })))?.total).toBe(0);
      const plain =
        "SELECT count(*)::int AS n FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE NOT ssl AND usename = 'postgres'";
      // The one that asks.
      expect(await query(place().server.url(), plain)).toEqual([{ n: 1 }]);
      await store.close();
    },
  );

  test('is used unseen where the URL says so', async () => {
    const store = await openStore(urlWith('sslmode=no-verify'), catalogue);
    expect(await store.ready()).toBe(true);
    await store.close();
  });
  test('ends a statement whose client has gone away', async () => {
    const store = await openStore(urlWith(`sslmode=verify-full&${trusted()}`), catalogue, { timeout: 600_000 });
    const { run } = await openSession(place().server.url());
    const watcher = await openSession(place().server.url());
    await run('BEGIN; LOCK TABLE "cars" IN ACCESS EXCLUSIVE MODE');
    const leaving = new AbortController();
    const caller = { signal: leaving.signal, client: undefined };
    const left = expect(openList(store, cars, [], queryOf(cars, {}), caller)).rejects.toMatchObject({
      reason: 'database',
    });
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await expect.poll(() => watcher.run(waiting), { timeout: 30_000, interval: 10 }).toHaveLength(1);
    leaving.abort();
    await left;
    await expect.poll(() => watcher.run(waiting), { timeout: 30_000, interval: 10 }).toEqual([]);
    await run('ROLLBACK');
    await store.close();
  });
});
