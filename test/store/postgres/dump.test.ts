/** A database that `pg_dump` has saved, and `pg_restore` brings back. */
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../support/app/app.ts';
import { installed, noDump, runInstalled } from '../../support/database/installed-postgres.ts';
import { sharedPostgres } from '../../support/database/own-postgres.ts';
import { query } from '../../support/database/postgres.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

describe.skipIf(noDump)(`a dump${noDump ? `: ${noDump}` : ''}`, () => {
  const server = sharedPostgres({ programs: installed });

  test('that is restored under a running service takes the last writes back, and their tags match nothing', async () => {
    await query(server().url(), `CREATE DATABASE dumped TEMPLATE template0 ENCODING 'UTF8'`);
    const database = server().url('dumped');
    const { send, close } = await openApp({ database });
    onTestFinished(close);
    await send('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza', doors: 1 });
    const file = join(temporaryFolder(), 'catalogue.dump');
    await runInstalled('pg_dump', '--format=custom', `--file=${file}`, database);
    expect((await send('PUT', '/api/coches/a', { puertas: 3 })).status).toBe(200);
    await send('POST', '/api/cars', { identifier: 'lost', brand: 'Seat', model: 'León' });
    const lost = (await send('GET', '/api/coches/a')).headers.get('etag') ?? '';
    const lostList = (await send('GET', '/api/cars')).headers.get('etag') ?? '';

    await runInstalled('pg_restore', '--clean', '--if-exists', '--single-transaction', `--dbname=${database}`, file);
    const doors = async () =>
      (await send('GET', '/api/coches/a', undefined, { 'if-none-match': lost })).json.puertas as unknown;
    expect(await doors()).toBe(1);
    expect((await send('PUT', '/api/coches/a', { puertas: 4 }, { 'if-match': lost })).status).toBe(412);
    expect((await send('PUT', '/api/coches/a', { puertas: 5 })).status).toBe(200);
    expect(await doors()).toBe(5);
    expect((await send('PUT', '/api/coches/a', { puertas: 4 }, { 'if-match': lost })).status).toBe(412);
    const list = await send('GET', '/api/cars', undefined, { 'if-none-match': lostList });
    expect(list.json).toEqual([{ identifier: 'a', brand: 'Seat', model: 'Ibiza', doors: 5 }]);
    expect((await send('GET', '/api/cars/lost')).status).toBe(404);
  });
});
