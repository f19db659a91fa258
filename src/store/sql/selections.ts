/** Rows of a list that something else than a `WHERE` clause of its table finds: groups, and what a search ranks. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Field } from '../../gateway/model/field.ts';
import { type Cursor, type Filter, TOTAL } from '../../gateway/model/query.ts';
import type { Keys } from '../../gateway/port/port.ts';
import type { Matching, Search } from './search.ts';
import {
  CREATED,
  fieldColumn,
  isFolded,
  quote,
  REVISION,
  type Statement,
  scope,
  sortColumn,
  statement,
} from './statement.ts';

/** Rows in their order, which are called `_found`. */
export interface Selection {
  /** What is read of each row, if not the list's columns. */
  readonly columns?: Statement;
  readonly rows: Statement;
  /** What the rows are joined with, or empty. */
  readonly join: string;
}

/**
 * Has one row for each value of a field, with the number of items that have it. Most come first, then by value; the items that
 * lack the field are the last group. Of several spellings of a text, a group has the most frequent one.
 */
export function selectGroups(
  { name }: Collection,
  field: Field,
  where: Statement,
): { readonly total: Statement; readonly selection: Selection } {
  const [table, column, text] = [quote(name), sortColumn(field), fieldColumn(field)];
  const values = `SELECT ${column} AS "value", count(*) AS "count" FROM ${table}${where.sql} GROUP BY ${column}`;
  const spellings = `SELECT ${column} AS "value", ${text} AS "text", count(*) AS "count" FROM ${table}${where.sql} GROUP BY ${column}, ${text}`;
  const ranked = `SELECT "value", "text", CAST(sum("count") OVER (PARTITION BY "value") AS BIGINT) AS "count", row_number() OVER (PARTITION BY "value" ORDER BY "count" DESC, "text") AS "rank" FROM (${spellings}) AS "_each"`;
  const [rows, value] = isFolded(field)
    ? [`SELECT "value", "text", "count" FROM (${ranked}) AS "_ranked" WHERE "rank" = 1`, '"_found"."text"']
    : [values, '"_found"."value"'];
  const ordered = `SELECT * FROM (${rows}) AS "_groups" ORDER BY "value" IS NULL, "count" DESC, "value"`;
  return {
    total: statement(`SELECT count(*) FROM (${values}) AS "_groups"`, where.values),
    selection: {
      // Groups have no revision.
      columns: statement(`0 AS ${REVISION}, ${value} AS ${quote(field.name)}, "_found"."count" AS ${quote(TOTAL)}`),
      rows: statement(ordered, where.values),
      join: '',
    },
  };
}

interface SearchedList {
  readonly collection: Collection;
  readonly parents: Keys;
  readonly filters: readonly Filter[];
  /** The rank and number after which rows are wanted. */
  readonly after: Cursor | undefined;
}

function selectRank(
  { collection, parents, filters }: SearchedList,
  { condition, rowIds }: Matching,
  rank: number,
): Statement {
  if (rowIds && filters.length === 0 && !collection.parent) {
    return statement(`SELECT ${CREATED}, ${rank} AS "rank" FROM (${rowIds.sql}) AS "_matching"`, rowIds.values);
  }
  const where = scope(collection, parents, filters, [condition]);
  return statement(`SELECT ${CREATED}, ${rank} AS "rank" FROM ${quote(collection.name)}${where.sql}`, where.values);
}

export function selectRanked(list: SearchedList, { ranks }: Search): Selection {
  const table = quote(list.collection.name);
  const { filters, after = [] } = list;
  const parts = ranks.map((matching, at) => selectRank(list, matching, at));
  const union = parts.map(({ sql }) => sql).join(' UNION ALL ');
  // An index of terms alone has its rows in order, and those of a rank are looked for only if the ones before do not suffice.
  const isOrdered = filters.length === 0 && ranks.every(({ rowIds }) => rowIds);
  const following = after.length === 0 ? '' : ` WHERE ("rank", ${CREATED}) > (CAST(? AS bigint), ?)`;
  const order = isOrdered ? '' : ` ORDER BY "rank", ${CREATED}`;
  const sql = isOrdered && following === '' ? union : `SELECT * FROM (${union}) AS "_ranked"${following}${order}`;
  return {
    rows: statement(sql, [...parts.flatMap(({ values }) => values), ...after]),
    // A join need not preserve an order.
    join: ` JOIN ${table} ON ${table}.${CREATED} = "_found".${CREATED} ORDER BY "_found"."rank", "_found".${CREATED}`,
  };
}

export function countRanked({ all }: Search, list: SearchedList): Statement {
  const { sql, values } = selectRank(list, all, 0);
  return statement(`SELECT count(*) FROM (${sql}) AS "_all"`, values);
}
