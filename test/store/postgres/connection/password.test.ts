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
});
