import { expect, test } from 'vitest';
import { EVERYTHING } from '../../../../src/model/query.ts';
import { selectNumbers } from '../../../../src/store/postgres/reads/list-reads.ts';
import { listPlan } from '../../../../src/store/sql/lists.ts';
import { parts, screws } from '../../sql/catalogue.ts';

const KEPT =
  'SELECT coalesce(sum("count"), 0) FROM "_totals" WHERE "collection" = ? AND "field" = ? AND "value" IN (?)';

test('the numbers of a list are one text', () => {
  const sort = parts.fields.find(({ name }) => name === 'spare');
  expect(selectNumbers(listPlan(parts, [], { ...EVERYTHING, sort }))).toEqual({
    sql: `SELECT CAST((1) AS TEXT) || ' ' || CAST((${KEPT}) AS TEXT) || ' ' || CAST((SELECT "number" FROM "_change") AS TEXT) || ' ' || CAST((SELECT count(*) FROM "parts" WHERE "spare" IS NOT NULL) AS TEXT)`,
    values: ['parts', '', ''],
  });
});

test('of a nested list they say whether its parent exists', () => {
  expect(selectNumbers(listPlan(screws, ['p-1'], EVERYTHING))).toEqual({
    sql: `SELECT CAST((CASE WHEN EXISTS (SELECT "_revision", "number", "maker", "weight", "spare" FROM "parts" WHERE "number" = ?) THEN 1 ELSE 0 END) AS TEXT) || ' ' || CAST((SELECT count(*) FROM "screws" WHERE "_parent" = ?) AS TEXT) || ' ' || CAST((SELECT "number" FROM "_change") AS TEXT) || ' ' || CAST((0) AS TEXT)`,
    values: ['p-1', 'p-1'],
  });
});
