import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { integer, text } from '../../../../src/gateway/model/fields.ts';
import { EVERYTHING, type Filter } from '../../../../src/gateway/model/query.ts';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { openApp } from '../../../support/app/app.ts';
import { carsWith, catalogue } from '../../../support/cars/catalogue.ts';
import { cars, carsListed, createCar, createMany, fillFile, readList } from '../../../support/conformance/fixtures.ts';
import { toCells } from '../../../support/database/cells.ts';
import { emptyDatabase, openForTest } from '../../../support/database/database.ts';
import { openSession } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';
import { getItem, openList, summarize } from '../../../support/database/reads.ts';

/** Today's catalogue and two fields more. */
const grown = carsWith({ colour: text({ max: 30, indexed: true }), seats: integer({ min: 1, max: 9 }) });
const [grownCars] = grown;

/** Everything that is in a database. */
const inventory = (url: string) =>
  query(
    url,
    `SELECT table_name, column_name, data_type, collation_name FROM information_schema.columns
     WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
  );

describe('a database on a server', () => {
  test('is kept as it is by those that open it again, tells version 0.1.0 that it is newer, and compares texts by bytes', async () => {
    const url = await emptyDatabase();
    await fillFile(url);
    const before = await inventory(url);
    const store = await openStore(url, catalogue);
    expect(await inventory(url)).toEqual(before);
    await store.close();
    // What that version looks at.
    const newer = `SELECT 1 AS newer FROM "_catalogue" WHERE "application" = 'car-dealer-catalogue' AND "version" > 1`;
    expect(await query(url, newer)).toEqual([{ newer: 1 }]);
    const columns = before as readonly Readonly<Record<string, string>>[];
    const texts = columns.filter(({ table_name, data_type }) => table_name !== '_catalogue' && data_type === 'text');
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter(({ collation_name }) => collation_name !== 'C')).toEqual([]);
  });

  test('gets the columns and indexes of new fields, from whichever of five instances comes first', async () => {
    const url = await emptyDatabase();
    const before = await openStore(url, catalogue);
    for (const key of ['a', 'b', 'c']) await createCar(before, key);
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(url, grown, { pool: 2 })));
    const [store] = stores;
    if (!store || !grownCars) throw new TypeError('no store');
    const cells = toCells(grownCars, { identifier: 'd', brand: 'x', model: 'x', colour: 'Azúl' });
    await store.write({ kind: 'create', collection: 'cars', parents: [], cells });
    const field = grownCars.fields.find(({ name }) => name === 'colour');
    const filters: readonly Filter[] = field ? [{ field, operator: 'equals', values: ['azul'] }] : [];
    const blue = await summarize(store, grownCars, [], { ...EVERYTHING, filters });
    expect([blue?.total, await carsListed(before)]).toEqual([1, ['a', 'b', 'c', 'd']]);
    const sorted = await openList(store, grownCars, [], { ...EVERYTHING, sort: field ? [field] : [], order: ['desc'] });
    const first = await sorted?.chunks.next();
    expect(first?.done ? [] : first?.value.map((row) => row[1])).toEqual(['d', 'a', 'b', 'c']);
    const indexes = await query(url, `SELECT indexname FROM pg_indexes WHERE indexname LIKE 'cars_colour%' ORDER BY 1`);
    expect(indexes).toEqual([{ indexname: 'cars_colour' }]);
    for (const each of [before, ...stores]) await each.close();
  });
});

const failure = (url: string): Promise<string> =>
  openStore(url, catalogue, { timeout: 1_000 }).then(
    async (store) => {
      await store.close();
      return 'opened';
    },
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  );

describe('is refused and left as it was', () => {
  const foreign: readonly (readonly [what: string, statement: string, reason: string])[] = [
    ['a table of another program', 'CREATE TABLE cars (id int)', 'contains tables of another program (cars)'],
    ['another register', 'CREATE TABLE _catalogue (id int)', 'contains tables of another program (_catalogue)'],
    [
      'a newer version',
      `CREATE TABLE _catalogue (application text PRIMARY KEY, version bigint); INSERT INTO _catalogue VALUES ('car-dealer-catalogue', 7)`,
      'was written by a newer version of this service (schema 7; this one knows 6)',
    ],
  ];
  test.each(foreign)('%s', async (_, statement, reason) => {
    const url = await emptyDatabase();
    await query(url, statement);
    const before = await inventory(url);
    const { host, pathname } = new URL(url);
    expect(await failure(url)).toBe(`DatabaseError: postgres://${host}${pathname}: ${reason}`);
    expect(await inventory(url)).toEqual(before);
  });

  test('a database that is not in UTF-8', async () => {
    const url = new URL(await emptyDatabase());
    const name = `latin_${url.pathname.slice(1)}`;
    await query(url.href, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1'`);
    const server = url.href;
    onTestFinished(async () => void (await query(server, `DROP DATABASE ${name} WITH (FORCE)`)));
    url.pathname = `/${name}`;
    expect(await failure(url.href)).toBe(
      `DatabaseError: postgres://${url.host}/${name}: is encoded in LATIN1, not in UTF8: create it with ENCODING 'UTF8' TEMPLATE template0`,
    );
    expect(await inventory(url.href)).toEqual([]);
  });

  test('one that is not there, but none with tables that have other names than ours', async () => {
    const url = new URL(await emptyDatabase());
    await query(url.href, 'CREATE TABLE orders (id int)');
    expect(await failure(url.href)).toBe('opened');
    url.pathname = '/none';
    expect(await failure(url.href)).toMatch(/database "none" does not exist$/);
  });
});

/** Instances of a newer version start beside older ones, which serve meanwhile. */

const openOld = (url: string) => openForTest(url, { pool: 4, timeout: 10_000 });

/** Clients that read, list and write through two instances all the time. @returns what was refused, once they are stopped */
const load = (stores: readonly Awaited<ReturnType<typeof openOld>>[]) => {
  let isOver = false;
  let done = 0;
  const refused: unknown[] = [];
  const clients = stores.flatMap((store, at) =>
    [0, 1, 2].map(async (client) => {
      for (let turn = 0; !isOver; turn++) {
        const key = `new-${at}-${client}-${turn}`;
        const asked = [
          createCar(store, key),
          Promise.resolve(getItem(store, cars, ['car-1'])),
          readList(store, cars, [], { size: 20 }),
        ];
        for (const end of await Promise.allSettled(asked)) if (end.status === 'rejected') refused.push(end.reason);
        done += asked.length;
        await setTimeout(5);
      }
    }),
  );
  return {
    more: () => {
      const enough = done + 100;
      return expect.poll(() => done, { timeout: 60_000, interval: 20 }).toBeGreaterThan(enough);
    },
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      return refused;
    },
  };
};

describe('an upgrade that adds a field', () => {
  test('waits for whoever reads for long, and nobody waits for it', async () => {
    const url = await emptyDatabase();
    const stores = await Promise.all([openOld(url), openOld(url)]);
    const [first] = stores;
    if (!first) throw new TypeError('no store');
    await createMany(first, 600);
    const { more, stop } = load(stores);
    // As pg_dump does.
    const { run } = await openSession(url);
    await run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const count = 'SELECT count(*) AS n FROM "cars"';
    const before = await run(count);
    const lines: string[] = [];
    let isOpen = false;
    const opening = openStore(url, grown, { report: (line) => lines.push(line) }).then((store) => {
      isOpen = true;
      return store;
    });
    await expect
      .poll(() => lines, { timeout: 60_000 })
      .toContain('the upgrade waits for whoever reads the table "cars", such as a backup: pg_stat_activity tells who');
    await more();
    expect([isOpen, await run(count)]).toEqual([false, before]);
    await run('COMMIT');
    const upgraded = await opening;
    await more();
    expect(await stop()).toEqual([]);
    await upgraded.close();
    expect(lines.slice(1)).toEqual(['the upgrade makes the index "cars_colour", while others read and write']);
  });

  test('makes an index again whose making was broken off', async () => {
    const url = await emptyDatabase();
    await (await openStore(url, grown)).close();
    await query(url, `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'cars_colour'::regclass`);
    await (await openStore(url, grown)).close();
    const valid = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'cars_colour'::regclass`;
    expect(await query(url, valid)).toEqual([{ indisvalid: true }]);
  });

  test('drops the indexes of version 0.1.0 that no list uses', async () => {
    const url = await emptyDatabase();
    await fillFile(url);
    await query(url, 'CREATE INDEX "cars_brand_sorted" ON "cars" ("_brand", "brand", "_created")');
    await fillFile(url);
    const names = `SELECT indexname FROM pg_indexes WHERE tablename = 'cars' AND indexname NOT LIKE 'cars_search%' ORDER BY 1`;
    expect(await query(url, names)).toEqual(
      ['cars__created', 'cars_brand', 'cars_identifier', 'cars_model', 'cars_pkey', 'cars_revision', 'cars_year'].map(
        (indexname) => ({ indexname }),
      ),
    );
  });

  test('counts what a field holds already that is indexed from now on', async () => {
    const url = await emptyDatabase();
    const store = await openOld(url);
    for (const key of ['a', 'b']) await createCar(store, key, { doors: 5 });
    await createCar(store, 'c', { doors: 3 });
    const indexed = carsWith({ doors: integer({ min: 0, max: 20, indexed: true }) });
    const { send, close } = await openApp({ database: url, catalogue: indexed });
    onTestFinished(close);
    expect((await send('HEAD', '/api/cars?doors=5')).headers.get('x-total-count')).toBe('2');
  });
});
