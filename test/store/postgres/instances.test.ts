import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { openApp } from '../../support/app/app.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { AHEAD, cars, createCar, readList, revisionOf } from '../../support/conformance/fixtures.ts';
import { importLines, outcomeText } from '../../support/conformance/imports/import-rows.ts';
import { expectNoTagTwice } from '../../support/conformance/restored.ts';
import { emptyDatabase, preparedDatabase } from '../../support/database/database.ts';
import { openSession } from '../../support/database/own-postgres.ts';
import { query } from '../../support/database/postgres.ts';

const openMany = async (url: string, count: number): Promise<readonly Store[]> => {
  const stores = await Promise.all(Array.from({ length: count }, () => openStore(url, catalogue, { pool: 3 })));
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });
  return stores;
};
const anyOf = <T>(all: readonly T[], at: number): T => all[at % all.length] as T;

test('numbers of writes through several instances never repeat, and every instance lists in their order', async () => {
  const url = await preparedDatabase();
  const stores = await openMany(url, 3);
  await query(url, `UPDATE "_change" SET "number" = ${AHEAD}`);
  const made = await Promise.all(Array.from({ length: 300 }, (_, at) => createCar(anyOf(stores, at), `car-${at}`)));
  const revisions = made.map(revisionOf).toSorted((a, b) => a - b);
  expect(revisions).toEqual(Array.from({ length: 300 }, (_, at) => AHEAD + at + 1));
  for (const store of stores) {
    const listed = await readList(store, cars, []);
    expect(listed?.rows.map(([revision]) => revision)).toEqual(revisions);
    expect([listed?.total, listed?.change]).toEqual([300, AHEAD + 300]);
  }
});

test('an import waits for longer than a statement may take while another instance imports', async () => {
  const url = await preparedDatabase();
  const store = await openStore(url, catalogue, { pool: 2, timeout: 200 });
  onTestFinished(async () => store.close());
  const [importer, watcher] = await Promise.all([openSession(url), openSession(url)]);
  await importer.run('BEGIN; SELECT * FROM "_change" FOR UPDATE');
  const imported = importLines(store, [{ identifier: 'a', brand: 'Seat', model: 'Ibiza' }]);
  const waits =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND now() - query_start > '1 s'";
  await expect.poll(() => watcher.run(waits), { timeout: 30_000, interval: 20 }).toHaveLength(1);
  await importer.run('COMMIT');
  expect(outcomeText(await imported)).toBe('imported, created 1');
});

test('of PUTs with one tag over two instances and both trees one is done', async () => {
  const database = await preparedDatabase();
  const apps = await Promise.all([openApp({ database }), openApp({ database })]);
  onTestFinished(async () => {
    for (const app of apps) await app.close();
  });
  const trees = [
    { item: '/api/cars/a', power: 'enginePower' },
    { item: '/api/coches/a', power: 'cilindrada' },
  ];
  await anyOf(apps, 0).send('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza' });
  for (let round = 0; round < 10; round++) {
    const read = trees.map(async ({ item }) => (await anyOf(apps, round).send('GET', item)).headers.get('etag'));
    const tags = await Promise.all(read);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => {
        const { item, power } = anyOf(trees, at);
        const body = { [power]: round * 12 + at + 1 };
        return anyOf(apps, at >> 1).send('PUT', item, body, { 'if-match': String(anyOf(tags, at)) });
      }),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(11).fill(412)]);
    const done = answers.find(({ status }) => status === 200)?.json;
    const { json } = await anyOf(apps, round + 1).send('GET', '/api/cars/a');
    expect(json.enginePower).toBe(done.enginePower ?? done.cilindrada);
  }
});

test('of POSTs with one idempotency key over two instances and both trees one makes a car', async () => {
  const database = await preparedDatabase();
  const apps = await Promise.all([openApp({ database }), openApp({ database })]);
  onTestFinished(async () => {
    for (const app of apps) await app.close();
  });
  const trees = [
    { cars: '/api/cars', car: { brand: 'Seat', model: 'Ibiza' } },
    { cars: '/api/coches', car: { modelo: 'Ibiza', marca: 'Seat' } },
  ];
  for (let round = 0; round < 5; round++) {
    const headers = { 'idempotency-key': `"round ${round}"` };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => {
        const { cars, car } = anyOf(trees, at);
        return anyOf(apps, at >> 1).send('POST', cars, car, headers);
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const made = (await anyOf(apps, round).send('GET', '/api/cars')).json;
    expect(made).toHaveLength(round + 1);
    const { identifier } = made[round];
    expect(new Set(answers.map((answer) => answer.headers.get('location')))).toEqual(
      new Set(trees.map(({ cars }) => `${cars}/${identifier}`)),
    );
  }
});

test('a tag of a change that a restored copy does not have is never given again', async () => {
  await expectNoTagTwice(await preparedDatabase(), async (url) => {
    const name = `restored_${randomUUID().replaceAll('-', '')}`;
    await query(await emptyDatabase(), `CREATE DATABASE ${name} TEMPLATE ${new URL(url).pathname.slice(1)}`);
    return Object.assign(new URL(url), { pathname: `/${name}` }).href;
  });
});
