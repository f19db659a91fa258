import { describe, expect, test } from 'vitest';
import type { Collection } from '../../../src/gateway/model/catalogue.ts';
import { collection, defineCatalogue, findCollection } from '../../../src/gateway/model/catalogue.ts';
import type { Value } from '../../../src/gateway/model/field.ts';
import { flag, integer, key, text } from '../../../src/gateway/model/fields.ts';
import { type Direction, EVERYTHING, type Filter, type Query, type Suffix } from '../../../src/gateway/model/query.ts';
import type { ReadRequest } from '../../../src/gateway/port/port.ts';
import { type ListSql, listSql, planRead } from '../../../src/store/sql/lists.ts';
import { sqliteSearch } from '../../../src/store/sql/selections.ts';
import { sqlite, statement } from '../../../src/store/sql/statement.ts';

/** One field of each kind, with and without an index; and a nested collection. */
const shop = defineCatalogue(
  collection(
    'parts',
    {
      number: key(),
      maker: text({ max: 20, indexed: true }),
      weight: integer({ min: 0, max: 9, indexed: true }),
      spare: flag(),
    },
    collection('screws', { thread: key(), finish: text({ max: 20 }) }),
  ),
);
const parts = findCollection(shop, 'parts');
const screws = findCollection(shop, 'screws');

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

describe('what is known of a list', () => {
  const costs: readonly (readonly [what: string, asked: Asked, cost: 'index' | 'scan'])[] = [
    ['all of it', {}, 'index'],
    ['an indexed field', { filters: { maker: ['Citroën'] } }, 'index'],
    ['several values of an indexed field', { filters: { weight: [3, 4] } }, 'scan'],
    ['a field without an index', { filters: { spare: [1] } }, 'scan'],
    ['two fields', { filters: { maker: ['Seat'], weight: [3] } }, 'scan'],
    ['a sort by an indexed field', { sort: ['maker'] }, 'index'],
    ['a range of an indexed field', { from: 3 }, 'scan'],
    ['a range in the order of its field', { from: 3, to: 5, sort: ['weight'] }, 'index'],
    ['a range and another field', { to: 5, filters: { maker: ['Seat'] }, sort: ['weight'] }, 'scan'],
    ['a sort by two fields, of which the first is indexed', { sort: ['maker', 'spare'] }, 'scan'],
    ['a sort by another field', { sort: ['spare'] }, 'scan'],
    ['a filter and a sort', { filters: { maker: ['Seat'] }, sort: ['weight'] }, 'scan'],
  ];
  test.each(costs)('%s', (_, asked, cost) => {
    expect(planRead(listRequest(parts, queryOf(parts, asked)), SQL).cost).toBe(cost);
  });

  test('no row beyond a page is counted to know where those begin that lack what is sorted by', () => {
    const paged = { ...queryOf(parts, { sort: ['maker'] }), page: 3, size: 20 };
    expect(listSql(parts, [], paged, SQL).present).toEqual(
      statement(
        'SELECT count(*) FROM (SELECT 1 FROM "parts" WHERE "_maker" IS NOT NULL LIMIT CAST(? AS bigint)) AS "_some"',
        [61],
      ),
    );
  });

  test('is plain data, which a thread can be sent', () => {
    const plan = planOf(screws, { sort: ['finish'], order: ['desc'] }, ['p-1']);
    expect(structuredClone(plan)).toEqual(plan);
  });
});
