import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { emptyDatabase } from '../../support/database/database.ts';
import { launch, project, serve } from '../../support/process/service.ts';

describe('the service on a server', () => {
  test('serves both trees, is ready, and stops on a signal', async () => {
    const DATABASE_URL = await emptyDatabase();
    const first = await serve({ env: { DATABASE_URL } });
    const second = await serve({ env: { DATABASE_URL, DATABASE_POOL: '2', DATABASE_TIMEOUT: '1000' } });
    const created = await fetch(`${first.origin}/api/cars`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: 'a', brand: 'Seat', model: 'Ibiza' }),
    });
    expect(created.status).toBe(201);
    expect(await (await fetch(`${second.origin}/api/coches/a`)).json()).toMatchObject({ marca: 'Seat' });
    for (const { origin } of [first, second]) expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect(await Promise.all([first.end('SIGTERM'), second.end('SIGINT')])).toEqual([0, 0]);
  });

  test('does not start without one, and tells why without the password', async () => {
    const { exit, output } = launch({ env: { DATABASE_URL: 'postgres://cars:s3cret@127.0.0.1:1/cars' } });
    expect(await exit).toBe(1);
    expect(output()).toMatch(/\nDATABASE_URL: postgres:\/\/127\.0\.0\.1:1\/cars: [^\n]+\n$/);
    expect(output()).not.toContain('s3cret');
  });
});

const NOBODY = 65_534;
const asNobody = (...args: readonly string[]) =>
  spawnSync(process.execPath, args, { uid: NOBODY, gid: NOBODY, cwd: '/', env: {}, encoding: 'utf8', timeout: 60_000 });

const isRoot = process.getuid?.() === 0;
const reason = !isRoot
  ? ': these tests are run by another user than root already'
  : asNobody('-e', `process.chdir(${JSON.stringify(project)})`).status !== 0
    ? ': nobody but root can read the project'
    : '';

describe('the tests’ own server', () => {
  test.skipIf(reason)(`is started by a user without rights too${reason}`, () => {
    const server = JSON.stringify(new URL('../../support/database/postgres-server.ts', import.meta.url));
    const script = `
      import { startPostgres } from ${server};
      const server = await startPostgres();
      await server.stop();
      await server.start();
      process.stdout.write(process.getuid() + ' ' + server.url());
      await server.remove();
    `;
    const { stdout, stderr } = asNobody('--input-type=module', '-e', script);
    expect([stdout, stderr]).toEqual([
      expect.stringMatching(/^65534 postgres:\/\/postgres@127\.0\.0\.1:\d+\/postgres$/),
      '',
    ]);
  });
});
