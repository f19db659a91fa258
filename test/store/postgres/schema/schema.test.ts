import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { collection, defineCatalogue } from '../../../../src/gateway/model/catalogue.ts';
import { integer, text } from '../../../../src/gateway/model/fields.ts';
import { EVERYTHING, type Filter } from '../../../../src/gateway/model/query.ts';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import {
  cars,
  carsListed,
  createCar,
  createOil,
  oils,
  readList,
  remove,
  revisionOf,
} from '../../../support/conformance/fixtures.ts';
import { toCells } from '../../../support/database/cells.ts';
import { emptyDatabase } from '../../../support/database/database.ts';
import { fileOf } from '../../../support/database/make-catalogue-file.ts';
import { openSession } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';
import { openList, summarize } from '../../../support/database/reads.ts';

const specsOf = (fields: typeof cars.fields) => Object.fromEntries(fields.map(({ name, ...spec }) => [name, spec]));

/** Today's catalogue, two fields more, and a collection. */
const grown = defineCatalogue(
  collection(
    'cars',
    { ...specsOf(cars.fields), colour: text({ max: 30, indexed: true }), seats: integer({ min: 1, max: 9 }) },
    collection('oils', specsOf(oils.fields)),
  ),
);
const [grownCars] = grown;

/** Everything that is in a database. */
const inventory = (url: string) =>
  query(
    url,
    `SELECT table_name, column_name, data_type, collation_name FROM information_schema.columns
     WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
  );

describe('a database on a server', () => {
  test('is kept as it is by those that open it again', async () => {
    const url = await emptyDatabase();
    await (await openStore(url, catalogue)).close();
    const before = await inventory(url);
    const store = await openStore(url, catalogue);
    expect(await inventory(url)).toEqual(before);
    await store.close();
  });

  test('tells version 0.1.0 that it is newer, by what that looks at', async () => {
    const url = await emptyDatabase();
    await (await openStore(url, catalogue)).close();
    const newer = `SELECT 1 AS newer FROM "_catalogue" WHERE "application" = 'car-dealer-catalogue' AND "version" > 1`;
    expect(await query(url, newer)).toEqual([{ newer: 1 }]);
  });

  test('compares texts by their bytes, whatever its own collation', async () => {
    const url = await emptyDatabase();
    await (await openStore(url, catalogue)).close();
    const texts = (await inventory(url)) as readonly { readonly [name: string]: string }[];
    const loose = texts.filter(
      ({ table_name, data_type, collation_name }) =>
        table_name !== '_catalogue' && data_type === 'text' && collation_name !== 'C',
    );
    expect([texts.length > 20, loose]).toEqual([true, []]);
  });

  test('survives close and open, its numbers going on', async () => {
    const url = await emptyDatabase();
    const before = await openStore(url, catalogue);
    await createCar(before, 'a', { year: 2008, version: 'É' });
    await createOil(before, 'a', '10W/40');
    await createCar(before, 'b');
    await remove(before, cars, ['b']);
    const [seen, nested] = [await readList(before, cars, []), await readList(before, oils, ['a'])];
    await before.close();
    const after = await openStore(url, catalogue);
    expect(await readList(after, cars, [])).toEqual(seen);
    expect(await readList(after, oils, ['a'])).toEqual(nested);
    expect(revisionOf(await createCar(after, 'b'))).toBeGreaterThan(seen?.change ?? Infinity);
    await after.close();
  });

  test('gets the columns and indexes of new fields, from whichever of ten instances comes first', async () => {
    const url = await emptyDatabase();
    const before = await openStore(url, catalogue);
    for (const key of ['a', 'b', 'c']) await createCar(before, key);
    const stores = await Promise.all(Array.from({ length: 10 }, () => openStore(url, grown, { pool: 2 })));
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

describe('tables that nothing uses any more', () => {
  const TABLES = `SELECT table_name FROM information_schema.tables WHERE table_name IN ('_totals', 'cars') ORDER BY 1`;
  /** A database of version 4 with an instance that is connected. */
  const ofEarlier = async () => {
    const url = await emptyDatabase();
    await query(url, readFileSync(fileOf(4, 'sql'), 'utf8'));
    const session = await openSession(url);
    await session.run(`SET application_name = 'car-dealer-catalogue'`);
    return { url, session };
  };
  const start = async (url: string): Promise<void> => (await openStore(url, catalogue)).close();

  test('stay while an instance of an earlier version is connected, which goes on writing them', async () => {
    const { url, session } = await ofEarlier();
    await start(url);
    await start(url);
    expect(await session.run('UPDATE "_totals" SET "count" = "count" RETURNING 1')).not.toEqual([]);
    await session.run(`SET application_name = 'psql'`);
    await start(url);
    expect(await query(url, TABLES)).toEqual([{ table_name: 'cars' }]);
  });

  test('stay where a backup reads them, and the start does not wait for it', async () => {
    const { url, session } = await ofEarlier();
    await session.run(`SET application_name = 'pg_dump'`);
    await session.run('BEGIN; SELECT 1 FROM "_totals"');
    await start(url);
    expect(await query(url, TABLES)).toEqual([{ table_name: '_totals' }, { table_name: 'cars' }]);
    await session.run('COMMIT');
    await start(url);
    expect(await query(url, TABLES)).toEqual([{ table_name: 'cars' }]);
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

  test('tables that are none of ours stand beside it', async () => {
    const url = await emptyDatabase();
    await query(url, 'CREATE TABLE orders (id int)');
    expect(await failure(url)).toBe('opened');
  });
});

describe('no server', () => {
  test('is told by its address, without the password', async () => {
    const told = await failure('postgres://cars:s3cret@127.0.0.1:1/cars');
    expect(told).toMatch(/^DatabaseError: postgres:\/\/127\.0\.0\.1:1\/cars: .*ECONNREFUSED/);
    expect(told).not.toContain('s3cret');
  });

  test('or no such database', async () => {
    const url = new URL(await emptyDatabase());
    url.pathname = '/none';
    expect(await failure(url.href)).toMatch(/database "none" does not exist$/);
  });
});
