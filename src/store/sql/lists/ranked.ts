/** What a search finds, best first, as a selection of a list's plan. */
import type { Collection } from '../../../gateway/model/catalogue.ts';
import type { Filter, Position } from '../../../gateway/model/query.ts';
import type { Keys } from '../../../gateway/port/port.ts';
import type { Matching, Search } from '../search.ts';
import { CREATED, quote, type Statement, scope, statement } from '../statement.ts';

/** A list that is searched. */
interface SearchedList {
  readonly collection: Collection;
  readonly parents: Keys;
  readonly filters: readonly Filter[];
  /** The rank and number after which rows are wanted. */
  readonly after: Position | undefined;
}

/** @returns the rows of one rank in creation order */
const rowsOf = (
  { collection, parents, filters }: SearchedList,
  { condition, found }: Matching,
  rank: number,
): Statement => {
  const isAlone = found && filters.length === 0 && !collection.parent;
  const { sql: from, values } = isAlone ? found : statement(quote(collection.name));
  const where = isAlone ? scope(collection, [], []) : scope(collection, parents, filters, { matching: condition });
  const source = isAlone ? `(${from}) AS "_matching"` : from;
  return statement(`SELECT ${CREATED}, ${rank} AS "rank" FROM ${source}${where.sql}`, [...values, ...where.values]);
};

export const rankedSelection = (table: string, list: SearchedList, { ranks }: Search) => {
  const { filters, after = [] } = list;
  // A join need not keep an order.
  const join = ` JOIN ${table} ON ${table}.${CREATED} = "_found".${CREATED} ORDER BY "_found"."rank", "_found".${CREATED}`;
  const parts = ranks.map((matching, at) => rowsOf(list, matching, at));
  const union = parts.map(({ sql }) => sql).join(' UNION ALL ');
  // An index of terms alone has its rows in order, and those of a rank are looked for only where the ones before do not suffice.
  const isOrdered = filters.length === 0 && ranks.every(({ found }) => found);
  const following = after.length === 0 ? '' : ` WHERE ("rank", ${CREATED}) > (CAST(? AS bigint), ?)`;
  const order = isOrdered ? '' : ` ORDER BY "rank", ${CREATED}`;
  return {
    rows: statement(
      isOrdered && following === '' ? union : `SELECT * FROM (${union}) AS "_ranked"${following}${order}`,
      [...parts.flatMap(({ values }) => values), ...after],
    ),
    join,
  };
};

/** Counts what a search finds. */
export const countFound = ({ all }: Search, list: SearchedList): Statement => {
  const { sql, values } = rowsOf(list, all, 0);
  return statement(`SELECT count(*) FROM (${sql}) AS "_all"`, values);
};
