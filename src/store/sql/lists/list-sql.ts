/**
 * The SQL of a list: every statement that reads it, as data that can be sent to a thread. Rows without the value that is
 * sorted by come last in a range of their own, because `ORDER BY x IS NULL` uses no index.
 */
import { type Collection, identifies } from '../../../gateway/model/catalogue.ts';
import type { Field } from '../../../gateway/model/field.ts';
import {
  isNesting,
  isRanked,
  isWalked,
  type Query,
  type Sort,
  sortsOf,
  windowOf,
} from '../../../gateway/model/query.ts';
import type { Keys } from '../../../gateway/port/port.ts';
import type { Dialect } from '../dialects.ts';
import { includedColumns, selectItem } from '../items.ts';
import type { SearchIn } from '../search.ts';
import {
  CREATED,
  comparedColumn,
  countRows,
  countUpTo,
  quote,
  rowColumns,
  type Statement,
  scope,
  sortColumn,
  statement,
} from '../statement.ts';
import { readChange } from '../system-tables.ts';
import { changesSql } from './changes.ts';
import { groupsOf } from './groups.ts';
import { afterPosition } from './position.ts';
import { countFound, rankedSelection } from './ranked.ts';

/** Rows in one order. */
export interface Range {
  /** A `WHERE` clause, or empty. */
  readonly where: Statement;
  readonly order: readonly string[];
}

/** Rows that are found, in their order, by something else than a `WHERE` clause of the table. */
interface Selection {
  /** What is read of each row that was found, which is called `_found`, where it is not the list's columns. */
  readonly columns?: Statement;
  readonly rows: Statement;
  /** What the found rows are joined with, or empty. */
  readonly join: string;
}

/** Rows of one chunk; a shorter list is read in one go. */
const CHUNK = 500;
/** The same where each row has any number of others nested in it, so that a chunk fits in memory. */
const NESTED_CHUNK = 50;

/** The most rows of a list that is small: to read all of them costs no more than an index. */
export const SMALL = 2_000;

export interface ListSql {
  readonly table: string;
  /** The columns of a `Row`, and those of what each includes. */
  readonly columns: readonly string[];
  /** The columns of a position, which a page reads, too; empty where pages do not follow each other by position. */
  readonly position: readonly string[];
  /** Finds the parent of a nested list. */
  readonly parent: Statement | undefined;
  readonly total: Statement;
  /** Counts the rows before filtering, but none beyond one more than `SMALL`. */
  readonly size: Statement;
  readonly change: Statement;
  /**
   * Counts the rows of the first range, where there are two: those that have the value that is sorted by. None is counted
   * beyond the window's end and the row after it.
   */
  readonly present: Statement | undefined;
  readonly ranges: readonly Range[];
  /** Whether the rows of a range are found before their order is thought of. */
  readonly isFoundFirst?: boolean | undefined;
  /** Takes the place of ranges. */
  readonly selection?: Selection | undefined;
  /** Rows of one chunk. */
  readonly chunk: number;
}

/** What differs between databases. */
export interface SqlOptions {
  readonly dialect: Dialect;
  /** How the database finds words. */
  readonly searchIn: SearchIn;
}

const directed = (column: string, { direction }: Pick<Sort, 'direction'>): string =>
  direction === 'desc' ? `${column} DESC` : column;

/** Rows of an earlier catalogue may lack a field that is required today, but never a key. */
const mayLack = (field: Field): boolean => !identifies(field);

/** Rows that are equal in all that they are sorted by: missing values are in creation order, whatever the direction. */
const creationAfter = ({ field, direction }: Sort): string =>
  direction === 'desc' && mayLack(field)
    ? `CASE WHEN ${sortColumn(field)} IS NULL THEN ${CREATED} ELSE -${CREATED} END`
    : directed(CREATED, { direction });

/** The order among rows that are equal in the first field, for which no index is of use. */
const orderAfter = (sorts: readonly Sort[]): readonly string[] => [
  ...sorts.map((sort) => directed(sortColumn(sort.field), sort) + (mayLack(sort.field) ? ' NULLS LAST' : '')),
  ...sorts.slice(-1).map(creationAfter),
];

/** @returns the columns of a position; none where a list has none */
const positionColumns = (query: Query): readonly string[] => {
  if (!isWalked(query)) return [];
  if (isRanked(query)) return ['"_found"."rank"', `"_found".${CREATED}`];
  // Of a value, not of its place: a position is one in every language.
  return [...query.sort.map(comparedColumn), CREATED];
};

/** @param parents keys of the parent, none at the top */
export const listSql = (
  collection: Collection,
  parents: Keys,
  query: Query,
  { dialect, searchIn }: SqlOptions,
): ListSql => {
  const { filters, group, order, include = [], after, since } = query;
  const search = query.search === undefined ? undefined : searchIn(collection, query.search);
  const searched = { collection, parents, filters, after: after?.position };
  const matching = search?.all.condition;
  const where = (...last: readonly (Statement | undefined)[]): Statement =>
    scope(collection, parents, filters, { matching, last });
  const table = quote(collection.name);
  const own = rowColumns(collection);
  const included = include.length > 0 ? includedColumns(collection, include, dialect) : [];
  const position = positionColumns(query);
  const common = {
    table,
    columns: [...own, ...included],
    position,
    parent: collection.parent && statement(selectItem(collection.parent), parents),
    total: search ? countFound(search, searched) : countRows(collection, where()),
    size: countUpTo(collection, scope(collection, parents, []), SMALL + 1),
    change: statement(readChange),
    chunk: isNesting(query) ? NESTED_CHUNK : CHUNK,
    present: undefined,
    ranges: [],
    isFoundFirst: search?.isFoundFirst,
  };
  if (since) {
    const most = windowOf(query).limit + 1;
    return { ...common, ...changesSql({ collection, parents, filters, matching, include, since, most }, included) };
  }
  if (group) {
    const { columns, rows, total } = groupsOf(collection, group, where());
    return { ...common, total, selection: { columns, rows, join: '' } };
  }
  const [sort, ...more] = sortsOf(query);
  if (search && isRanked(query)) return { ...common, selection: rankedSelection(table, searched, search) };
  const following = after && afterPosition(table, query, after.position);
  if (!sort) {
    const [direction = 'asc'] = order;
    return { ...common, ranges: [{ where: where(following?.present), order: [directed(CREATED, { direction })] }] };
  }
  const column = sortColumn(sort.field);
  const rest = orderAfter(more);
  const byValue = [directed(column, sort), ...(more.length > 0 ? rest : [directed(CREATED, sort)])];
  // Whatever passes a filter has a value.
  const lacksNone = !mayLack(sort.field) || filters.some(({ field }) => field === sort.field);
  if (lacksNone) return { ...common, ranges: [{ where: where(following?.present), order: byValue }] };

  // In creation order, whichever direction the others are sorted in.
  const lacking = {
    where: where(statement(`${column} IS NULL`), following?.absent),
    order: more.length > 0 ? rest : [CREATED],
  };
  if (following && !following.present) return { ...common, ranges: [lacking] };
  const present = where(statement(`${column} IS NOT NULL`), following?.present);
  const { offset, limit } = windowOf(query);
  return {
    ...common,
    present: countUpTo(collection, present, offset + limit + 1),
    ranges: [{ where: present, order: byValue }, lacking],
  };
};
