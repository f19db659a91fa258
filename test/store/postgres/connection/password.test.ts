/** A server that wants a password from one of its users. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { noServer } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../../../support/database/postgres-server.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';
import { onNewConnection } from '../../../support/process/new-connection.ts';
import { serve } from '../../../support/process/service.ts';

const writeUrl = (file: string, port: number, password: string): void =>
  writeFileSync(file, `postgres://dealer:${password}@127.0.0.1:${port}/postgres\n`);

describe.skipIf(noServer)(`a password${noServer ? `: ${noServer}` : ''}`, () => {
  let folder: string;
  let server: PostgresServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'password-'));
    const rules = join(folder, 'pg_hba.conf');
    const all = ['local all all trust', 'host all dealer all scram-sha-256', 'host all all all trust'];
    writeFileSync(rules, `${all.join('\n')}\n`);
    // The server's user is another.
    chmodSync(folder, 0o755);
    server = await startPostgres({ settings: { hba_file: rules } });
    await query(server.url(), "CREATE ROLE dealer LOGIN SUPERUSER PASSWORD 's3cret'");
  });
  afterAll(async () => {
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const opened = async (user: string): Promise<string> => {
    try {
      const store = await openStore(`postgres://${user}@127.0.0.1:${server.port}/postgres`, catalogue);
      await store.close();
      return 'opened';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  test.each([
    ['dealer:s3cret', 'opened'],
    ['dealer', 'the server wants a password, and the URL has none'],
    ['dealer:', 'the server wants a password, and the URL has none'],
    ['dealer:other', 'password authentication failed for user "dealer"'],
  ])('of %s', async (user, told) => {
    expect(await opened(user)).toBe(told === 'opened' ? told : `postgres://127.0.0.1:${server.port}/postgres: ${told}`);
  });

  test('that changes is read again by SIGHUP; one that the server does not take is not', async () => {
    const file = join(temporaryFolder(), 'url');
    writeUrl(file, server.port, 's3cret');
    // A second try finds what the first one has changed.
    await query(server.url(), "ALTER ROLE dealer PASSWORD 's3cret'");
    const service = await serve({ env: { DATABASE_URL: '', DATABASE_URL_FILE: file } });
    const reload = async (password: string, told: RegExp, times: number): Promise<void> => {
      writeUrl(file, server.port, password);
      service.child.kill('SIGHUP');
      await expect.poll(() => service.output().match(told)?.length, { timeout: 60_000 }).toBe(times);
    };
    const kept = /reload: DATABASE_URL: password authentication failed for user "dealer"; the old settings are kept/g;
    await reload('wrong', kept, 1);
    const car = { brand: 'Seat', model: 'Ibiza' };
    const statuses = async (body: object): Promise<ReadonlySet<number>> => {
      const made = Array.from({ length: 16 }, () => onNewConnection(service, 'POST', '/api/cars', body));
      return new Set((await Promise.all(made)).map(({ status }) => status));
    };
    expect(await statuses([car])).toEqual(new Set([200]));
    await query(server.url(), "ALTER ROLE dealer PASSWORD 'n3w'");
    await reload('n3w', /were read again/g, 1);
    const others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'dealer'";
    await query(server.url(), others);
    expect(await statuses(car)).toEqual(new Set([201]));
    // By threads that have imported with the old one.
    expect(await statuses([car])).toEqual(new Set([200]));
    expect(service.output()).not.toMatch(/s3cret|n3w|wrong@/);
  });

  test('the address of another database takes a restart', async () => {
    const file = join(temporaryFolder(), 'url');
    writeUrl(file, server.port, 's3cret');
    await query(server.url(), "ALTER ROLE dealer PASSWORD 's3cret'");
    const service = await serve({ env: { DATABASE_URL: '', DATABASE_URL_FILE: file } });
    writeFileSync(file, `postgres://dealer:s3cret@127.0.0.1:${server.port}/other`);
    service.child.kill('SIGHUP');
    await service.wrote(
      /reload: DATABASE_URL: names another database, which takes a restart; the old settings are kept/,
    );
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
