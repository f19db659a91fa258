import { describe, expect, test } from 'vitest';
import { createItemSql, insertValues, tombstoneValues, updateValues } from '../../../src/store/sql/items.ts';
import { addColumns, createIndex, createTable, listIndexes, obsoleteIndexes } from '../../../src/store/sql/schema.ts';
import { type Dialect, insertInto, postgres, sqlite } from '../../../src/store/sql/statement.ts';
import { migrations, tombstones } from '../../../src/store/sql/system-tables.ts';
import { parts, screws, shop } from './catalogue.ts';

interface Texts {
  readonly dialect: Dialect;
  readonly tables: readonly string[];
  readonly columns: readonly string[];
  readonly system: readonly string[];
  readonly insertPart: string;
  readonly insertScrew: string;
  readonly insertTombstone: string;
}

const sqliteTexts: Texts = {
  dialect: sqlite,
  tables: [
    'CREATE TABLE "parts" ("_created" INTEGER PRIMARY KEY, "_revision" INTEGER NOT NULL, "number" TEXT, "maker" TEXT, "weight" INTEGER, "spare" INTEGER, "_number" TEXT, "_maker" TEXT, UNIQUE ("number"))',
    'CREATE TABLE "screws" ("_created" INTEGER PRIMARY KEY, "_revision" INTEGER NOT NULL, "_parent" TEXT NOT NULL REFERENCES "parts" ("number") ON DELETE CASCADE, "thread" TEXT, "finish" TEXT, "_thread" TEXT, "_finish" TEXT, UNIQUE ("_parent", "thread"))',
  ],
  columns: [
    'ALTER TABLE "parts" ADD COLUMN "maker" TEXT',
    'ALTER TABLE "parts" ADD COLUMN "weight" INTEGER',
    'ALTER TABLE "parts" ADD COLUMN "_maker" TEXT',
  ],
  system: [
    'CREATE TABLE "_change" ("number" INTEGER NOT NULL)',
    'INSERT INTO "_change" VALUES (0)',
    'CREATE TABLE "_tombstones" ("number" INTEGER NOT NULL, "collection" TEXT NOT NULL, "parent" TEXT, "key" TEXT NOT NULL, PRIMARY KEY ("number"))',
    'CREATE TABLE "_keys" ("id" TEXT NOT NULL, "name" TEXT NOT NULL, "hash" TEXT NOT NULL, "scopes" TEXT NOT NULL, "created" INTEGER NOT NULL, "expires" INTEGER, PRIMARY KEY ("id"))',
    'CREATE TABLE "_idempotency" ("key" TEXT NOT NULL, "payload" TEXT NOT NULL, "result" TEXT NOT NULL, "expires" INTEGER NOT NULL, PRIMARY KEY ("key"))',
    'CREATE INDEX "_idempotency_expires" ON "_idempotency" ("expires")',
    `CREATE INDEX "_pauses" ON "_tombstones" ("number") WHERE "collection" = ''`,
    'CREATE TABLE "_hooks" ("id" TEXT NOT NULL, "url" TEXT NOT NULL, "list" TEXT NOT NULL, "language" TEXT NOT NULL, "collection" TEXT NOT NULL, "secret" TEXT NOT NULL, "created" INTEGER NOT NULL, "state" TEXT NOT NULL, "holder" TEXT NOT NULL, "until" INTEGER NOT NULL, PRIMARY KEY ("id"))',
  ],
  insertPart:
    'INSERT INTO "parts" ("_created", "_revision", "number", "maker", "weight", "spare", "_number", "_maker") VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  insertScrew:
    'INSERT INTO "screws" ("_created", "_revision", "_parent", "thread", "finish", "_thread", "_finish") VALUES (?, ?, ?, ?, ?, ?, ?)',
  insertTombstone: 'INSERT INTO "_tombstones" ("number", "collection", "parent", "key") VALUES (?, ?, ?, ?)',
};

const postgresTexts: Texts = {
  dialect: postgres,
  tables: [
    'CREATE TABLE "parts" ("_created" BIGINT NOT NULL, "_revision" BIGINT NOT NULL, "number" TEXT COLLATE "C", "maker" TEXT COLLATE "C", "weight" BIGINT, "spare" BIGINT, "_number" TEXT COLLATE "C", "_maker" TEXT COLLATE "C", PRIMARY KEY ("number"))',
    'CREATE TABLE "screws" ("_created" BIGINT NOT NULL, "_revision" BIGINT NOT NULL, "_parent" TEXT COLLATE "C" NOT NULL REFERENCES "parts" ("number") ON DELETE CASCADE, "thread" TEXT COLLATE "C", "finish" TEXT COLLATE "C", "_thread" TEXT COLLATE "C", "_finish" TEXT COLLATE "C", PRIMARY KEY ("_parent", "thread"))',
  ],
  columns: [
    'ALTER TABLE "parts" ADD COLUMN "maker" TEXT COLLATE "C"',
    'ALTER TABLE "parts" ADD COLUMN "weight" BIGINT',
    'ALTER TABLE "parts" ADD COLUMN "_maker" TEXT COLLATE "C"',
  ],
  system: [
    'CREATE TABLE "_change" ("number" BIGINT NOT NULL)',
    'INSERT INTO "_change" VALUES (0)',
    'CREATE TABLE "_tombstones" ("number" BIGINT NOT NULL, "collection" TEXT COLLATE "C" NOT NULL, "parent" TEXT COLLATE "C", "key" TEXT COLLATE "C" NOT NULL, PRIMARY KEY ("number"))',
    'CREATE TABLE "_keys" ("id" TEXT COLLATE "C" NOT NULL, "name" TEXT COLLATE "C" NOT NULL, "hash" TEXT COLLATE "C" NOT NULL, "scopes" TEXT COLLATE "C" NOT NULL, "created" BIGINT NOT NULL, "expires" BIGINT, PRIMARY KEY ("id"))',
    'CREATE TABLE "_idempotency" ("key" TEXT COLLATE "C" NOT NULL, "payload" TEXT COLLATE "C" NOT NULL, "result" TEXT COLLATE "C" NOT NULL, "expires" BIGINT NOT NULL, PRIMARY KEY ("key"))',
    'CREATE INDEX "_idempotency_expires" ON "_idempotency" ("expires")',
    `CREATE INDEX "_pauses" ON "_tombstones" ("number") WHERE "collection" = ''`,
    'CREATE TABLE "_hooks" ("id" TEXT COLLATE "C" NOT NULL, "url" TEXT COLLATE "C" NOT NULL, "list" TEXT COLLATE "C" NOT NULL, "language" TEXT COLLATE "C" NOT NULL, "collection" TEXT COLLATE "C" NOT NULL, "secret" TEXT COLLATE "C" NOT NULL, "created" BIGINT NOT NULL, "state" TEXT COLLATE "C" NOT NULL, "holder" TEXT COLLATE "C" NOT NULL, "until" BIGINT NOT NULL, PRIMARY KEY ("id"))',
  ],
  insertPart:
    'INSERT INTO "parts" ("_created", "_revision", "number", "maker", "weight", "spare", "_number", "_maker") SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::text[], ?::text[])',
  insertScrew:
    'INSERT INTO "screws" ("_created", "_revision", "_parent", "thread", "finish", "_thread", "_finish") SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])',
  insertTombstone:
    'INSERT INTO "_tombstones" ("number", "collection", "parent", "key") SELECT * FROM unnest(?::bigint[], ?::text[], ?::text[], ?::text[])',
};

describe.each([
  ['SQLite', sqliteTexts],
  ['PostgreSQL', postgresTexts],
] as const)('%s', (_, texts) => {
  const { dialect } = texts;

  test('makes a table for each collection', () => {
    expect(shop.map((collection) => createTable(collection, dialect))).toEqual(texts.tables);
  });

  test('adds the columns that are missing', () => {
    expect(addColumns(parts, new Set(['"number"', '"spare"', '"_number"']), dialect)).toEqual(texts.columns);
  });

  test('makes the tables beside them', () => {
    expect(migrations.flatMap((step) => step(dialect))).toEqual(texts.system);
  });

  test('writes rows', () => {
    const sql = createItemSql(shop, dialect);
    expect(sql(parts).insert).toBe(texts.insertPart);
    expect(sql(screws).insert).toBe(texts.insertScrew);
    expect(insertInto(dialect, tombstones)).toBe(texts.insertTombstone);
  });

  test('finds and changes a row by its keys', () => {
    const sql = createItemSql(shop, dialect);
    expect(sql(parts)).toMatchObject({
      select: 'SELECT "_revision", "number", "maker", "weight", "spare" FROM "parts" WHERE "number" = ?',
      update:
        'UPDATE "parts" SET "_revision" = ?, "number" = ?, "maker" = ?, "weight" = ?, "spare" = ?, "_number" = ?, "_maker" = ? WHERE "number" = ?',
      remove: 'DELETE FROM "parts" WHERE "number" = ?',
    });
    expect(sql(screws)).toMatchObject({
      select: 'SELECT "_revision", "thread", "finish" FROM "screws" WHERE "_parent" = ? AND "thread" = ?',
      update:
        'UPDATE "screws" SET "_revision" = ?, "thread" = ?, "finish" = ?, "_thread" = ?, "_finish" = ? WHERE "_parent" = ? AND "thread" = ?',
      remove: 'DELETE FROM "screws" WHERE "_parent" = ? AND "thread" = ?',
    });
  });
});

test('indexes have a name, and the text that makes them', () => {
  expect(listIndexes(parts).map((index) => [index.name, createIndex(index)])).toEqual([
    ['parts__created', 'CREATE INDEX IF NOT EXISTS "parts__created" ON "parts" ("_created")'],
    ['parts_maker', 'CREATE INDEX IF NOT EXISTS "parts_maker" ON "parts" ("_maker", "_created")'],
    ['parts_weight', 'CREATE INDEX IF NOT EXISTS "parts_weight" ON "parts" ("weight", "_created")'],
    ['parts_revision', 'CREATE INDEX IF NOT EXISTS "parts_revision" ON "parts" ("_revision")'],
  ]);
  expect(obsoleteIndexes(parts)).toEqual([
    'parts_maker_sorted',
    ...['number', 'maker', 'weight', 'spare'].map((field) => `parts_${field}_unique`),
  ]);
  const [index] = listIndexes(screws);
  expect(index && createIndex(index, 'CONCURRENTLY ')).toBe(
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS "screws__parent" ON "screws" ("_parent", "_created")',
  );
});

test('values stand in the order of the columns', () => {
  expect(insertValues(parts, 7, 9, [], ['A1', 'Citroën', 3, null])).toEqual([
    7,
    9,
    'A1',
    'Citroën',
    3,
    null,
    'a1',
    'citroen',
  ]);
  expect(insertValues(screws, 7, 9, ['A1'], ['M4', null])).toEqual([7, 9, 'A1', 'M4', null, 'm4', null]);
  expect(updateValues(screws, 9, ['A1', 'M4'], ['M4', 'Zinc'])).toEqual([9, 'M4', 'Zinc', 'm4', 'zinc', 'A1', 'M4']);
  expect(tombstoneValues(parts, 9, ['A1'])).toEqual([9, 'parts', null, 'A1']);
  expect(tombstoneValues(screws, 9, ['A1', 'M4'])).toEqual([9, 'screws', 'A1', 'M4']);
});
