/** Pages of rows that are kept as they were rendered: always what a list reads, whoever wrote in between. */
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../../../src/catalogue.ts';
import { openStore } from '../../../../src/service/open-store.ts';
import type { Row } from '../../../../src/store/port.ts';
import { cars, createCar } from '../../../support/conformance/fixtures.ts';
import {
  comparing,
  expectCurrentPages,
  format,
  KEYS,
  pagesOf,
  take,
} from '../../../support/conformance/lists/pages.ts';
import { preparedDatabase } from '../../../support/database/database.ts';
import { openSession } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';

/** Bytes. */
const ROOM = 1_000_000;

const open = async (url: string, readUrl?: string) => {
  const store = await openStore(url, catalogue, { pool: 2, ...(readUrl === undefined ? {} : { readUrl }) });
  onTestFinished(() => store.close());
  return store;
};
const openTwo = async () => {
  const url = await preparedDatabase();
  return { url, one: await open(url), two: await open(url) };
};
const SEAT = { brand: 'Seat', year: 1990 };

test.each([ROOM, 2_000])('with %i bytes, whatever two processes write', async (room) => {
  const { one, two } = await openTwo();
  await expectCurrentPages(one, two, room, 8);
});

test.each([
  [`UPDATE "cars" SET "version" = 'new'`],
  [`UPDATE "cars" SET "version" = 'new' WHERE "identifier" = 'b'`],
  [`DELETE FROM "cars" WHERE "identifier" = 'b'`],
  [`BEGIN; DELETE FROM "cars" WHERE "identifier" = 'b'; UPDATE "cars" SET "version" = 'new'; ROLLBACK`],
  ['VACUUM (FULL, FREEZE) "cars"'],
  ['CREATE TABLE "others" AS SELECT * FROM "cars"; TRUNCATE "cars" CASCADE; INSERT INTO "cars" SELECT * FROM "others"'],
])('after another program: %s', async (sql) => {
  const { url, one } = await openTwo();
  const compare = comparing(one, ROOM);
  for (const name of KEYS) await createCar(one, name, SEAT);
  await compare();
  await compare();
  await query(url, sql);
  await compare();
  await compare();
});

test('rows are rendered once, and again where one was changed', async () => {
  const { one, two } = await openTwo();
  const asked = { size: KEYS.length };
  const rendered: unknown[] = [];
  const read = pagesOf(one, ROOM, {
    ...format,
    row: (row, at) => {
      rendered.push(row[1]);
      return format.row(row, at);
    },
  });
  for (const name of KEYS) await createCar(one, name, SEAT);
  for (let round = 0; round < 3; round++) await read(asked);
  expect(rendered).toEqual(KEYS);
  await take(two, 'update', 'c', { brand: 'Opel', year: 1991 });
  for (let round = 0; round < 3; round++) await read(asked);
  expect(rendered).toEqual([...KEYS, ...KEYS]);
});

test('rows of another program, all with one revision, are not taken for each other', async () => {
  const { url, one } = await openTwo();
  await query(
    url,
    `INSERT INTO "cars" ("_created", "_revision", "identifier", "brand", "_brand", "model", "_model")
    SELECT "at", 1, "key", 'Seat', 'seat', "key", "key" FROM unnest(ARRAY['a', 'b', 'c']) WITH ORDINALITY AS "some" ("key", "at")`,
  );
  await query(url, `INSERT INTO "_totals" VALUES ('cars', '', '', 3) ON CONFLICT DO NOTHING`);
  await query(url, `UPDATE "_totals" SET "count" = 3 WHERE "field" = ''`);
  const read = pagesOf(one, ROOM);
  for (let round = 0; round < 2; round++) {
    const page = await read({ size: 5 });
    expect(page?.rows.map(([, key]: Row) => key).toSorted()).toEqual(['a', 'b', 'c']);
  }
});

test('a key that contains what stands between versions is read like any other', async () => {
  const { one } = await openTwo();
  const compare = comparing(one, ROOM, [{ size: 5 }]);
  await createCar(one, 'a\u0001b');
  await compare();
  await compare();
});

test('a page is of one state, whatever is written while it is read', async () => {
  const { url, one } = await openTwo();
  for (const name of KEYS) await createCar(one, name, SEAT);
  const read = pagesOf(one, ROOM);
  const { run } = await openSession(url);
  let isOver = false;
  const writing = (async () => {
    for (let at = 0; at < 150; at++) await run(`UPDATE "cars" SET "year" = ${at} WHERE "identifier" IN ('c', 'f')`);
    isOver = true;
  })();
  const version = cars.fields.findIndex(({ name }) => name === 'year') + 1;
  while (!isOver) {
    const { rows } = (await read({ size: KEYS.length })) ?? { rows: [] };
    expect(rows.map(([, key]: Row) => key)).toEqual(KEYS);
    expect(rows[2][version]).toBe(rows[5][version]);
  }
  await writing;
});

test('pages come from the replica', async () => {
  const [primary, replica] = [await open(await preparedDatabase()), await preparedDatabase()];
  const copy = await open(replica);
  for (const name of ['a', 'b']) await createCar(primary, name, SEAT);
  await createCar(copy, 'a', SEAT);
  const url = await preparedDatabase();
  const both = await open(url, replica);
  const page = await pagesOf(both, ROOM)({ size: 5 });
  expect(page?.total).toBe(1);
});
