/** Several instances of the service, or processes, on one database. */
import { randomUUID } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/host/service/open-store.ts';
import { openApp } from '../support/app/app.ts';
import { catalogue } from '../support/cars/catalogue.ts';
import { cars, createCar, readList, revisionOf } from '../support/conformance/fixtures.ts';
import { expectNoTagTwice } from '../support/conformance/restored.ts';
import { emptyDatabase, onServer, sharedDatabase } from '../support/database/database.ts';
import { pathOf } from '../support/database/files.ts';
import { query } from '../support/database/postgres.ts';

const anyOf = <T>(all: readonly T[], at: number): T => all[at % all.length] as T;

test('numbers of writes through several never repeat, and every instance lists in their order', async () => {
  const url = await sharedDatabase();
  const stores = await Promise.all([1, 2, 3].map(() => openStore(url, catalogue, { pool: 3 })));
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
  const made = await Promise.all(Array.from({ length: 300 }, (_, at) => createCar(anyOf(stores, at), `car-${at}`)));
  const revisions = made.map(revisionOf).toSorted((a, b) => a - b);
  expect(new Set(revisions).size).toBe(300);
  for (const store of stores) {
    const listed = await readList(store, cars, []);
    expect(listed?.rows.map(([revision]) => revision)).toEqual(revisions);
    expect([listed?.total, listed?.change]).toEqual([300, revisions.at(-1)]);
  }
  const both = await Promise.all(stores.map((store) => createCar(store, 'same')));
  expect(both.map(({ kind }) => kind).toSorted()).toEqual(['already-exists', 'already-exists', 'written']);
});

test('of PUTs with one tag over two and both trees one is done', async () => {
  const database = await sharedDatabase();
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

test('of POSTs with one idempotency key over two and both trees one makes a car', async () => {
  const database = await sharedDatabase();
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
  await expectNoTagTwice(await sharedDatabase(), async (url) => {
    if (!onServer) {
      copyFileSync(pathOf(url), `${pathOf(url)}.restored`);
      return `${url}.restored`;
    }
    const name = `restored_${randomUUID().replaceAll('-', '')}`;
    await query(await emptyDatabase(), `CREATE DATABASE ${name} TEMPLATE ${new URL(url).pathname.slice(1)}`);
    return Object.assign(new URL(url), { pathname: `/${name}` }).href;
  });
});
