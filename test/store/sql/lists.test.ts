import { describe, expect, test } from 'vitest';
import type { Collection } from '../../../src/gateway/model/catalogue.ts';
import type { Value } from '../../../src/gateway/model/field.ts';
import {
  type Direction,
  EVERYTHING,
  type Filter,
  type Query,
  type Suffix,
  type Window,
} from '../../../src/gateway/model/query.ts';
import type { ReadRequest } from '../../../src/gateway/port/port.ts';
import { createPlanner, type ListSql, listSql, windowStatements } from '../../../src/store/sql/lists.ts';
import { sqliteSearch } from '../../../src/store/sql/search.ts';
import { type Statement, sqlite, statement } from '../../../src/store/sql/statement.ts';
import { parts, screws } from './catalogue.ts';

interface Asked {
  readonly filters?: Readonly<Record<string, readonly Value[]>>;
  readonly from?: number;
  readonly to?: number;
  readonly sort?: readonly string[];
  readonly order?: readonly Direction[];
}

const queryOf = ({ fields }: Collection, { filters = {}, from, to, sort = [], order = [] }: Asked): Query => ({
  ...EVERYTHING,
  filters: fields.flatMap((field): readonly Filter[] => {
    const values = filters[field.name];
    const ends = field.name === 'weight' ? ({ from, to } as const) : {};
    return [
      ...(values ? [{ field, operator: 'equals', values } as const] : []),
      ...Object.entries(ends).flatMap(([end, value]) =>
        value === undefined ? [] : [{ field, operator: end as Suffix, values: [value] }],
      ),
    ];
  }),
  sort: sort.flatMap((name) => fields.filter((field) => field.name === name)),
  order,
});

const SQL = { dialect: sqlite, searchIn: sqliteSearch };
const listRequest = (collection: Collection, query: Query): ReadRequest => ({
  of: 'list',
  collection,
  keys: [],
  query,
});

const planOf = (collection: Collection, asked: Asked, parents: readonly string[] = []): ListSql =>
  listSql(collection, parents, queryOf(collection, asked), SQL);

const rowsOf = (
  plan: ListSql,
  window: Window = { offset: 0, limit: 20 },
  present = 0,
): readonly (readonly unknown[])[] =>
  windowStatements(plan, window, present).map(({ sql, values }) => [sql, ...values]);

const PARTS = 'SELECT "_revision", "number", "maker", "weight", "spare" FROM "parts"';
const SCREWS = 'SELECT "_revision", "thread", "finish" FROM "screws"';

describe('the rows of a list', () => {
  const tables: readonly (readonly [what: string, asked: Asked, rows: readonly (readonly unknown[])[]])[] = [
    ['in the order of creation', {}, [[`${PARTS} ORDER BY "_created" LIMIT CAST(? AS bigint) OFFSET ?`, 20, 0]]],
    [
      'in the reverse',
      { order: ['desc'] },
      [[`${PARTS} ORDER BY "_created" DESC LIMIT CAST(? AS bigint) OFFSET ?`, 20, 0]],
    ],
    [
      'by a folded text',
      { filters: { maker: ['CITROËN'] } },
      [[`${PARTS} WHERE "_maker" = ? ORDER BY "_created" LIMIT CAST(? AS bigint) OFFSET ?`, 'citroen', 20, 0]],
    ],
    [
      'by one of several texts, equal ones once',
      { filters: { maker: ['Seat', 'SEAT', 'Škoda'] } },
      [
        [
          `${PARTS} WHERE "_maker" IN (?, ?) ORDER BY "_created" LIMIT CAST(? AS bigint) OFFSET ?`,
          'seat',
          'skoda',
          20,
          0,
        ],
      ],
    ],
    [
      'by all of several fields',
      { filters: { number: ['A1'], weight: [3, 4], spare: [1] } },
      [
        [
          `${PARTS} WHERE "_number" = ? AND "weight" IN (?, ?) AND "spare" = ? ORDER BY "_created" LIMIT CAST(? AS bigint) OFFSET ?`,
          'a1',
          3,
          4,
          1,
          20,
          0,
        ],
      ],
    ],
    [
      'sorted by the key, which no row lacks',
      { sort: ['number'], order: ['desc'] },
      [[`${PARTS} ORDER BY "_number" DESC, "_created" DESC LIMIT CAST(? AS bigint) OFFSET ?`, 20, 0]],
    ],
    [
      'sorted by a text, what lacks it last and in the order of creation',
      { sort: ['maker'], order: ['desc'] },
      [
        [
          `${PARTS} WHERE "_maker" IS NOT NULL ORDER BY "_maker" DESC, "_created" DESC LIMIT CAST(? AS bigint) OFFSET ?`,
          7,
          0,
        ],
        [`${PARTS} WHERE "_maker" IS NULL ORDER BY "_created" LIMIT CAST(? AS bigint) OFFSET ?`, 13, 0],
      ],
    ],
    [
      'filtered and sorted by an integer',
      { filters: { spare: [0] }, sort: ['weight'] },
      [
        [
          `${PARTS} WHERE "spare" = ? AND "weight" IS NOT NULL ORDER BY "weight", "_created" LIMIT CAST(? AS bigint) OFFSET ?`,
          0,
          7,
          0,
        ],
        [
          `${PARTS} WHERE "spare" = ? AND "weight" IS NULL ORDER BY "_created" LIMIT CAST(? AS bigint) OFFSET ?`,
          0,
          13,
          0,
        ],
      ],
    ],
    [
      'of a range',
      { from: 3, to: 5, filters: { spare: [1] } },
      [
        [
          `${PARTS} WHERE "weight" >= ? AND "weight" <= ? AND "spare" = ? ORDER BY "_created" LIMIT CAST(? AS bigint) OFFSET ?`,
          3,
          5,
          1,
          20,
          0,
        ],
      ],
    ],
    [
      'of a range in the order of its field, which none of them lacks',
      { from: 3, sort: ['weight'], order: ['desc'] },
      [
        [
          `${PARTS} WHERE "weight" >= ? ORDER BY "weight" DESC, "_created" DESC LIMIT CAST(? AS bigint) OFFSET ?`,
          3,
          20,
          0,
        ],
      ],
    ],
    [
      'sorted by two fields, each of which a row may lack',
      { sort: ['maker', 'weight'], order: ['asc', 'desc'] },
      [
        [
          `${PARTS} WHERE "_maker" IS NOT NULL ORDER BY "_maker", "weight" DESC NULLS LAST, CASE WHEN "weight" IS NULL THEN "_created" ELSE -"_created" END LIMIT CAST(? AS bigint) OFFSET ?`,
          7,
          0,
        ],
        [
          `${PARTS} WHERE "_maker" IS NULL ORDER BY "weight" DESC NULLS LAST, CASE WHEN "weight" IS NULL THEN "_created" ELSE -"_created" END LIMIT CAST(? AS bigint) OFFSET ?`,
          13,
          0,
        ],
      ],
    ],
    [
      'sorted by the key and another field, because keys may differ in case only',
      { sort: ['number', 'spare'], order: ['desc'] },
      [[`${PARTS} ORDER BY "_number" DESC, "spare" NULLS LAST, "_created" LIMIT CAST(? AS bigint) OFFSET ?`, 20, 0]],
    ],
    [
      'sorted by a field and the key',
      { sort: ['spare', 'number'], order: ['asc', 'desc'] },
      [
        [
          `${PARTS} WHERE "spare" IS NOT NULL ORDER BY "spare", "_number" DESC, "_created" DESC LIMIT CAST(? AS bigint) OFFSET ?`,
          7,
          0,
        ],
        [
          `${PARTS} WHERE "spare" IS NULL ORDER BY "_number" DESC, "_created" DESC LIMIT CAST(? AS bigint) OFFSET ?`,
          13,
          0,
        ],
      ],
    ],
  ];
  test.each(tables)('%s', (_, asked, rows) => {
    expect(rowsOf(planOf(parts, asked), { offset: 0, limit: 20 }, 7)).toEqual(rows);
  });

  test('of a nested list are those of their parent', () => {
    const plan = planOf(screws, { filters: { finish: ['Zinc'] }, sort: ['thread'] }, ['p-1']);
    expect(rowsOf(plan)).toEqual([
      [
        `${SCREWS} WHERE "_parent" = ? AND "_finish" = ? ORDER BY "_thread", "_created" LIMIT CAST(? AS bigint) OFFSET ?`,
        'p-1',
        'zinc',
        20,
        0,
      ],
    ]);
    expect(plan.parent).toEqual({
      sql: 'SELECT "_revision", "number", "maker", "weight", "spare" FROM "parts" WHERE "number" = ?',
      values: ['p-1'],
    });
  });

  test('far down are reached by way of an index, unless there are many', () => {
    const plan = planOf(parts, {});
    const far = `${PARTS} WHERE "_created" IN (SELECT "_created" FROM "parts" ORDER BY "_created" LIMIT CAST(? AS bigint) OFFSET ?) ORDER BY "_created"`;
    expect(rowsOf(plan, { offset: 1_001, limit: 1_000 })).toEqual([[far, 1_000, 1_001]]);
    const near = `${PARTS} ORDER BY "_created" LIMIT CAST(? AS bigint) OFFSET ?`;
    expect(rowsOf(plan, { offset: 1_000, limit: 1_000 })).toEqual([[near, 1_000, 1_000]]);
    expect(rowsOf(plan, { offset: 1_001, limit: 1_001 })).toEqual([[near, 1_001, 1_001]]);
  });

  const windows: readonly (readonly [present: number, window: Window, limits: readonly (readonly number[])[]])[] = [
    [7, { offset: 0, limit: 5 }, [[5, 0]]],
    [
      7,
      { offset: 5, limit: 5 },
      [
        [2, 5],
        [3, 0],
      ],
    ],
    [7, { offset: 7, limit: 5 }, [[5, 0]]],
    [7, { offset: 9, limit: 5 }, [[5, 2]]],
    [0, { offset: 3, limit: 5 }, [[5, 3]]],
    [Infinity, { offset: 3, limit: 5 }, [[5, 3]]],
    [7, { offset: 3, limit: 0 }, []],
  ];
  test.each(windows)(
    'where %s hold the field that is sorted by, %o is limit and offset %j',
    (present, window, limits) => {
      const plan = planOf(parts, { sort: ['weight'] });
      expect(rowsOf(plan, window, present).map(([, ...values]) => values)).toEqual(limits);
    },
  );
});

describe('what is known of a list', () => {
  const count = (where: string, ...values: readonly (string | number)[]): Statement =>
    statement(`SELECT count(*) FROM "parts"${where}`, values);
  const upTo = (where: string, ...values: readonly (string | number)[]): Statement =>
    statement(`SELECT count(*) FROM (SELECT 1 FROM ${where} LIMIT CAST(? AS bigint)) AS "_some"`, values);
  const ALL = Number.MAX_SAFE_INTEGER;
  const numbers: readonly (readonly [
    what: string,
    asked: Asked,
    expected: { readonly total: Statement; readonly present?: Statement; readonly isQuick: boolean },
  ])[] = [
    ['all of it', {}, { total: count(''), isQuick: true }],
    [
      'an indexed field',
      { filters: { maker: ['Citroën'] } },
      { total: count(' WHERE "_maker" = ?', 'citroen'), isQuick: true },
    ],
    [
      'several values of an indexed field',
      { filters: { weight: [3, 4] } },
      { total: count(' WHERE "weight" IN (?, ?)', 3, 4), isQuick: false },
    ],
    [
      'a field without an index',
      { filters: { spare: [1] } },
      { total: count(' WHERE "spare" = ?', 1), isQuick: false },
    ],
    [
      'two fields',
      { filters: { maker: ['Seat'], weight: [3] } },
      {
        total: count(' WHERE "_maker" = ? AND "weight" = ?', 'seat', 3),
        isQuick: false,
      },
    ],
    [
      'a sort by an indexed field',
      { sort: ['maker'] },
      {
        total: count(''),
        present: upTo('"parts" WHERE "_maker" IS NOT NULL', ALL),
        isQuick: true,
      },
    ],
    ['a range of an indexed field', { from: 3 }, { total: count(' WHERE "weight" >= ?', 3), isQuick: false }],
    [
      'a range in the order of its field',
      { from: 3, to: 5, sort: ['weight'] },
      { total: count(' WHERE "weight" >= ? AND "weight" <= ?', 3, 5), isQuick: true },
    ],
    [
      'a range and another field',
      { to: 5, filters: { maker: ['Seat'] }, sort: ['weight'] },
      {
        total: count(' WHERE "_maker" = ? AND "weight" <= ?', 'seat', 5),
        isQuick: false,
      },
    ],
    [
      'a sort by two fields, of which the first is indexed',
      { sort: ['maker', 'spare'] },
      {
        total: count(''),
        present: upTo('"parts" WHERE "_maker" IS NOT NULL', ALL),
        isQuick: false,
      },
    ],
    [
      'a sort by another field',
      { sort: ['spare'] },
      {
        total: count(''),
        present: upTo('"parts" WHERE "spare" IS NOT NULL', ALL),
        isQuick: false,
      },
    ],
    [
      'a filter and a sort',
      { filters: { maker: ['Seat'] }, sort: ['weight'] },
      {
        total: count(' WHERE "_maker" = ?', 'seat'),
        present: upTo('"parts" WHERE "_maker" = ? AND "weight" IS NOT NULL', 'seat', ALL),
        isQuick: false,
      },
    ],
  ];
  test.each(numbers)('%s', (_, asked, { total, present, isQuick }) => {
    const { cost } = createPlanner(SQL)(listRequest(parts, queryOf(parts, asked)));
    const plan = planOf(parts, asked);
    expect([plan.total, plan.present, cost]).toEqual([total, present, isQuick ? 'index' : 'scan']);
    expect(plan.change).toEqual(statement('SELECT "number" FROM "_change"'));
    expect(plan.size).toEqual(upTo('"parts"', 2_001));
    expect(plan.parent).toBeUndefined();
  });

  test('a nested list counts the rows of its parent', () => {
    const plan = planOf(screws, { filters: { finish: ['Zinc'] } }, ['p-1']);
    expect(plan.total).toEqual(
      statement('SELECT count(*) FROM "screws" WHERE "_parent" = ? AND "_finish" = ?', ['p-1', 'zinc']),
    );
    expect(plan.size).toEqual(upTo('"screws" WHERE "_parent" = ?', 'p-1', 2_001));
  });

  test('no row beyond a page is counted to know where those begin that lack what is sorted by', () => {
    const paged = { ...queryOf(parts, { sort: ['maker'] }), page: 3, size: 20 };
    expect(listSql(parts, [], paged, SQL).present).toEqual(upTo('"parts" WHERE "_maker" IS NOT NULL', 61));
  });

  test('is plain data, which a thread can be sent', () => {
    const plan = planOf(screws, { sort: ['finish'], order: ['desc'] }, ['p-1']);
    expect(structuredClone(plan)).toEqual(plan);
  });
});
