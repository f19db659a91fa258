/** A database that answers, but takes no writes. */
import { execFileSync } from 'node:child_process';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { carsListed, createCar } from '../../support/conformance/fixtures.ts';
import { openForTest } from '../../support/database/database.ts';
import { noServer, openSession, sharedPostgres } from '../../support/database/own-postgres.ts';
import { query } from '../../support/database/postgres.ts';
import { identity } from '../../support/database/postgres-server.ts';
import { smallDisk } from '../../support/faults/small-disk.ts';
import { type Serving, serve } from '../../support/process/service.ts';

const post = async ({ send }: Serving, body: object, path = '/api/cars') => (await send('POST', path, body)).status;
const car = (identifier: string) => ({ identifier, brand: 'Seat', model: 'Ibiza' });

const WITHIN = { timeout: 60_000, interval: 20 };

/** It is noticed that writes fail: within a second if the machine has time, and long before a minute. Reads go on, but one statement of a busy machine may take longer than `DATABASE_TIMEOUT`. */
const expectReady = async ({ origin }: Serving, status: 200 | 503): Promise<void> => {
  const asked = async (path: string) => (await fetch(origin + path, { headers: { 'accept-language': 'es' } })).status;
  await expect.poll(() => asked('/readyz?writes'), WITHIN).toBe(status);
  await expect.poll(() => asked('/readyz'), WITHIN).toBe(200);
};

/** What the log says of the database, without times and addresses. */
const linesOf = ({ output }: Serving): readonly string[] =>
  [...output().matchAll(/ warn {2}postgres:\S+ (.*)\n/g)].map(([, line = '']) => line);

describe.skipIf(noServer)(`a service whose PostgreSQL${noServer ? `: ${noServer}` : ''}`, () => {
  const server = sharedPostgres();
  let databases = 0;
  const createDatabase = async (options = ''): Promise<string> => {
    const name = `ready${++databases}`;
    await query(server().url(), `CREATE DATABASE ${name} ${options}`);
    return name;
  };
  const open = async (database: string) => {
    const env = { DATABASE_URL: server().url(database), DATABASE_TIMEOUT: '1000', DATABASE_POOL: '2' };
    const service = await serve({ env });
    // The first answer is checked against documents that are still to be made.
    expect((await fetch(`${service.origin}/readyz`)).status).toBe(200);
    return service;
  };

  test('lets its role not write says so, what to do, and once; and is written to no time to know', async () => {
    const database = await createDatabase();
    // Its own, as a database is: a second try finds what the first one left.
    const role = `clerk_of_${database}`;
    const { run } = await openSession(server().url(database));
    await run(`CREATE ROLE ${role} LOGIN; GRANT CREATE ON SCHEMA public TO ${role}`);
    const url = Object.assign(new URL(server().url(database)), { username: role });
    const lines: string[] = [];
    const store = await openForTest(url.href, { report: (line) => lines.push(line.replace(/^\S+ /, '')) });
    const ready = async () => [await store.ready(), await store.ready(true)];
    const next = async () => Number((await run('SELECT pg_snapshot_xmax(pg_current_snapshot()) AS next'))[0]?.next);
    const before = await next();
    for (let time = 0; time < 100; time++) expect(await ready()).toEqual([true, true]);
    expect(await next()).toBe(before);

    await run(`ALTER TABLE "cars" OWNER TO postgres; GRANT SELECT, UPDATE, DELETE ON "cars" TO ${role}`);
    for (let time = 0; time < 3; time++) expect(await ready()).toEqual([true, false]);
    await expect(createCar(store, 'a')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await carsListed(store)).toEqual([]);
    await run(`GRANT INSERT ON "cars" TO ${role}`);
    expect(await ready()).toEqual([true, true]);
    expect(await createCar(store, 'a')).toMatchObject({ kind: 'written' });
    await expect
      .poll(() => lines, WITHIN)
      .toEqual(['takes no writes: permission denied for table cars', 'takes writes again']);
  });

  test('is read-only says so where nobody asks, and from its start on', async () => {
    const database = await createDatabase();
    const service = await open(database);
    expect(await post(service, car('a'))).toBe(201);
    await query(
      server().url(database),
      `ALTER DATABASE ${database} SET default_transaction_read_only = on`,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    expect(await post(service, car('b'))).toBe(503);
    await service.wrote(/takes no writes/);
    await expectReady(service, 503);
    expect(await service.end('SIGTERM')).toBe(0);
    const again = await serve({ env: { DATABASE_URL: server().url(database) } });
    const told = ['takes no writes: cannot execute INSERT in a read-only transaction'];
    expect([linesOf(service), linesOf(again)]).toEqual([told, told]);
  });

  test('has a full disk is ready again when there is room', async (context) => {
    const disk = smallDisk(context, '16m');
    if (identity.uid !== undefined && identity.gid !== undefined) chownSync(disk.folder, identity.uid, identity.gid);
    execFileSync('chmod', ['700', disk.folder]);
    // A second try finds what the first one left.
    const tablespace = `small${databases}`;
    await query(server().url(), `CREATE TABLESPACE ${tablespace} LOCATION '${disk.folder}'`);
    const database = await createDatabase(`TABLESPACE ${tablespace}`);
    const service = await open(database);
    expect(await post(service, car('a'))).toBe(201);
    const ballast = join(disk.folder, 'ballast');
    expect(() => writeFileSync(ballast, Buffer.alloc(16_000_000))).toThrow('ENOSPC');

    const statusOf = (type: number) =>
      post(service, { type: `${type}`, otherInfo: `${'汽'.repeat(9_000)}` }, '/api/cars/a/oils');
    let type = 0;
    await expect.poll(() => statusOf(type++), { timeout: 60_000, interval: 1 }).toBe(503);
    await expectReady(service, 503);
    const told = await fetch(`${service.origin}/readyz?writes`, { headers: { 'accept-language': 'es' } });
    expect(await told.json()).toMatchObject({
      detail: 'La base de datos no admite escrituras en este momento; las lecturas siguen funcionando.',
    });
    expect((await fetch(`${service.origin}/api/coches/a`)).status, service.output()).toBe(200);
    await expectReady(service, 503);
    rmSync(ballast);
    await expectReady(service, 200);
    expect(await statusOf(type)).toBe(201);
    await expect
      .poll(() => linesOf(service), WITHIN)
      .toEqual(['takes no writes: its disk is full: make room', 'takes writes again']);
    await query(server().url(), `DROP DATABASE ${database} WITH (FORCE)`, `DROP TABLESPACE ${tablespace}`);
  });
});
