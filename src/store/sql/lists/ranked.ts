/** What a search finds, best first, as a selection of a list's plan. */
import type { Collection } from '../../../model/catalogue.ts';
import type { Filter } from '../../../model/query.ts';
import type { Keys } from '../../port.ts';
import { CREATED } from '../columns.ts';
import { scope } from '../scope.ts';
import type { Counted, Matching, Search } from '../search.ts';
import { quote, type Statement, statement } from '../statement.ts';

/** A list that is searched. */
interface SearchedList {
  readonly collection: Collection;
  readonly parents: Keys;
  readonly filters: readonly Filter[];
  /** A condition that is evaluated for each row that is read, before all others. */
  readonly first: string | undefined;
}

/** @returns the rows of one rank in creation order */
const rowsOf = (
  { collection, parents, filters, first }: SearchedList,
  { condition, found }: Matching,
  rank: number,
): Statement => {
  const isAlone = found && filters.length === 0 && !collection.parent;
  const { sql: from, values } = isAlone ? found : statement(quote(collection.name));
  const where = isAlone
    ? scope(collection, [], [], { first })
    : scope(collection, parents, filters, { first, matching: condition });
  const source = isAlone ? `(${from}) AS "_matching"` : from;
  return statement(`SELECT ${CREATED}, ${rank} AS "rank" FROM ${source}${where.sql}`, [...values, ...where.values]);
};

/** What has been found and passes the filters. */
const PASSING = '"passing"';

/** @returns `WITH` what an index has found, and what of it passes the filters: once for both the total and the rows */
export const hitsOf = ({ hits, ranked }: Counted, collection: Collection, filters: readonly Filter[]): Statement => {
  if (filters.length === 0) return hits;
  const table = quote(collection.name);
  const where = scope(collection, [], filters);
  return statement(
    `${hits.sql}, ${PASSING} AS MATERIALIZED (SELECT ${table}.${CREATED}, "rank" FROM (${ranked.sql}) AS "_ranked" JOIN ${table} ON ${table}.${CREATED} = "_ranked".${CREATED}${where.sql}) `,
    [...hits.values, ...ranked.values, ...where.values],
  );
};

export const rankedSelection = (
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
  list: SearchedList,
  { ranks, counted }: Search,
) => {
  const { filters } = list;
  // A join need not keep an order.
  const join = ` JOIN ${table} ON ${table}.${CREATED} = "_found".${CREATED} ORDER BY "_found"."rank", "_found".${CREATED}`;
  const selected = statement(columns.join(', '));
  if (counted && filters.length === 0) return { columns: selected, rows: counted.page, bindsWindow: true, join };
  if (counted) {
    return { columns: selected, rows: statement(`SELECT * FROM ${PASSING} ORDER BY "rank", ${CREATED}`), join };
  }
  const parts = ranks.map((matching, at) => rowsOf(list, matching, at));
  const union = parts.map(({ sql }) => sql).join(' UNION ALL ');
  // An index of words alone has its rows in order, and those of a rank are looked for only where the ones before do not suffice.
  const isOrdered = filters.length === 0 && ranks.every(({ found }) => found);
  return {
    columns: selected,
    rows: statement(
      isOrdered ? union : `SELECT * FROM (${union}) AS "_ranked" ORDER BY "rank", ${CREATED}`,
      parts.flatMap(({ values }) => values),
    ),
    join,
  };
};

/** Counts what a search finds. */
export const countFound = (
  { all: { condition, found }, counted }: Search,
  collection: Collection,
  parents: Keys,
  filters: readonly Filter[],
  first: string | undefined,
): Statement => {
  if (counted) return filters.length === 0 ? counted.total : statement(`SELECT count(*) FROM ${PASSING}`);
  const isAlone = found && filters.length === 0 && !collection.parent;
  const where = scope(collection, parents, isAlone ? [] : filters, {
    first,
    matching: isAlone ? undefined : condition,
  });
  if (!isAlone) return statement(`SELECT count(*) FROM ${quote(collection.name)}${where.sql}`, where.values);
  return statement(`SELECT count(*) FROM (${found.sql}) AS "_matching"${where.sql}`, [
    ...found.values,
    ...where.values,
  ]);
};
