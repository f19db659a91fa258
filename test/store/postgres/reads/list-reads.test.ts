import { describe, expect, onTestFinished, test } from 'vitest';
import type { Collection } from '../../../../src/gateway/model/catalogue.ts';
import { EVERYTHING } from '../../../../src/gateway/model/query.ts';
import { openStore } from '../../../../src/host/service/open-store.ts';
import type { Reader } from '../../../../src/store/postgres/connection/connection.ts';
import { Pool } from '../../../../src/store/postgres/connection/pool.ts';
import { readAtOnce, selectNumbers } from '../../../../src/store/postgres/reads/list-reads.ts';
import { postgresSearch } from '../../../../src/store/postgres/search/indexes.ts';
import { listSql } from '../../../../src/store/sql/list-sql.ts';
import { type ListPlan, plannerOf } from '../../../../src/store/sql/read-plan.ts';
import { postgres } from '../../../../src/store/sql/statement.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import {
  cars,
  createCar,
  createOil,
  keyOf,
  type ListRequest,
  oils,
  queryOf,
  update,
} from '../../../support/conformance/fixtures.ts';
import { preparedDatabase } from '../../../support/database/database.ts';
import { parts, screws } from '../../sql/catalogue.ts';

const SQL = { dialect: postgres, searchIn: postgresSearch };
const planOf = plannerOf(SQL);

test('the numbers of a list are one text', () => {
  const sort = parts.fields.filter(({ name }) => name === 'spare');
  expect(selectNumbers(listSql(parts, [], { ...EVERYTHING, sort }, SQL))).toEqual({
    sql: `SELECT CAST((1) AS TEXT) || ' ' || CAST((SELECT count(*) FROM "parts") AS TEXT) || ' ' || CAST((SELECT "number" FROM "_change") AS TEXT) || ' ' || CAST((SELECT count(*) FROM (SELECT 1 FROM "parts" WHERE "spare" IS NOT NULL LIMIT CAST(? AS bigint)) AS "_some") AS TEXT)`,
    values: [Number.MAX_SAFE_INTEGER],
  });
});

test('of a nested list they say whether its parent exists', () => {
  expect(selectNumbers(listSql(screws, ['p-1'], EVERYTHING, SQL))).toEqual({
    sql: `SELECT CAST((CASE WHEN EXISTS (SELECT "_revision", "number", "maker", "weight", "spare" FROM "parts" WHERE "number" = ?) THEN 1 ELSE 0 END) AS TEXT) || ' ' || CAST((SELECT count(*) FROM "screws" WHERE "_parent" = ?) AS TEXT) || ' ' || CAST((SELECT "number" FROM "_change") AS TEXT) || ' ' || CAST((0) AS TEXT)`,
    values: ['p-1', 'p-1'],
  });
});

describe('a list is read with its numbers', () => {
  const lists: readonly (readonly [
    what: string,
    collection: Collection,
    parents: readonly string[],
    asked: ListRequest,
    expected: { readonly total: number; readonly keys: readonly string[] } | 'ranges' | undefined,
    statements?: number,
  ])[] = [
    ['a list', cars, [], { sort: 'brand', order: 'desc' }, { total: 3, keys: ['c', 'b', 'a'] }],
    ['a page', cars, [], { size: 1, page: 2 }, { total: 3, keys: ['b'] }],
    ['a filter without an index', cars, [], { filters: { version: ['y'] } }, { total: 1, keys: ['c'] }],
    ['a filter that nothing matches', cars, [], { filters: { version: ['x'] } }, { total: 0, keys: [] }, 2],
    ['a filtered page beyond the end', cars, [], { filters: { version: ['y'] }, page: 9 }, { total: 1, keys: [] }, 2],
    ['a sorted page beyond the end', cars, [], { sort: 'doors', size: 2, page: 9 }, { total: 3, keys: [] }, 2],
    ['two ranges, the first of no rows', cars, [], { sort: 'doors' }, 'ranges', 2],
    ['a nested list', oils, ['b'], {}, { total: 1, keys: ['5W-30'] }],
    ['a nested list in which nothing is', oils, ['a'], {}, { total: 0, keys: [] }, 2],
    ['a nested list without a parent', oils, ['none'], {}, undefined, 2],
    ['a page beyond the end, by an index', cars, [], { size: 2, page: 9 }, { total: 3, keys: [] }, 2],
  ];

  test('by one statement, which is one snapshot, and by a second one if that finds no row', async () => {
    const url = await preparedDatabase();
    const store = await openStore(url, catalogue);
    for (const [at, key] of ['a', 'b', 'c'].entries()) await createCar(store, key, { brand: `Brand ${at}` });
    await createOil(store, 'b', '5W-30');
    await update(store, cars, ['c'], { version: 'y' });
    await store.close();
    const pool = new Pool(url, { size: 1, timeout: 5_000 });
    onTestFinished(() => pool.end());

    for (const [what, collection, parents, asked, expected, most = 1] of lists) {
      const query = queryOf(collection, asked);
      let statements = 0;
      const read = await pool.read(({ rows }) => {
        const counting: Reader = {
          rows: (statement) => {
            statements += 1;
            return rows(statement);
          },
        };
        const plan = planOf({ of: 'list', collection, keys: parents, query });
        return readAtOnce(counting, plan as ListPlan);
      });
      const found = typeof read === 'object' ? { total: read.total, keys: read.rows.map(keyOf) } : read;
      expect([what, found, statements]).toEqual([what, expected, most]);
    }
  });
});
