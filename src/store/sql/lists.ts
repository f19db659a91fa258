/**
 * Lists as plans: all that is to be asked, as data, so that it can be asked anywhere. Missing values come last through two
 * ranges, because `ORDER BY x IS NULL` uses no index.
 */
import type { Collection } from '../../model/catalogue.ts';
import type { Cell } from '../../model/field.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import type { Filter, Query, Window } from '../../model/query.ts';
import type { Keys } from '../port.ts';
import {
  CREATED,
  foldCell,
  marks,
  PARENT,
  quote,
  rowColumns,
  type Statement,
  sortColumn,
  statement,
} from './columns.ts';
import { itemSql, readChange } from './items.ts';
import { totalOfAll, totalOfPresent, totalOfValues } from './totals.ts';

/** Rows in one order. `LIMIT` and `OFFSET` are bound last. */
interface Range {
  /** Row by row: for lists that are read from their start. */
  readonly direct: Statement;
  /** By way of an index that holds all that places a row: for pages far down, whose rows before are skipped unread. */
  readonly deferred: Statement;
}

export interface ListPlan {
  /** Finds the item around the list, where there must be one. */
  readonly around: Statement | undefined;
  readonly total: Statement;
  /** Of the rows that the filters choose from. */
  readonly size: Statement;
  readonly change: Statement;
  /** How many rows hold the field that is sorted by, where some may not: they are the first range, the rest the second. */
  readonly present: Statement | undefined;
  readonly ranges: readonly [Range, ...Range[]];
  /** Whether an index answers it at any size; other plans look at every row. */
  readonly isQuick: boolean;
}

/** A filter's values as `sortColumn` holds them. */
const valuesOf = (filter: Filter): readonly Cell[] => [...new Set(filter.values.map(foldCell))];

const conditions: Readonly<Record<Filter['operator'], (column: string, values: readonly Cell[]) => string>> = {
  equals: (column, { length }) => (length === 1 ? `${column} = ?` : `${column} IN (${marks(length)})`),
};

const condition = (filter: Filter): Statement => {
  const values = valuesOf(filter);
  return { sql: conditions[filter.operator](sortColumn(filter.field), values), values };
};

/** Which rows a list is about. */
const scope = ({ parent }: Collection, parents: Keys, filters: readonly Filter[], more?: string): Statement => {
  const conditions = [
    ...(parent ? [{ sql: `${PARENT} = ?`, values: parents }] : []),
    ...filters.map(condition),
    ...(more === undefined ? [] : [{ sql: more, values: [] }]),
  ];
  return {
    sql: conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  };
};

const count = ({ name }: Collection, { sql, values }: Statement): Statement =>
  statement(`SELECT count(*) FROM ${quote(name)}${sql}`, values);

/** The rows that the filters choose from. */
const sizeOf = (collection: Collection, parents: Keys): Statement =>
  totalOfAll(collection) ?? count(collection, scope(collection, parents, []));

const totalOf = (collection: Collection, parents: Keys, { filters }: Query): Statement => {
  const [filter, ...more] = filters;
  if (!filter) return sizeOf(collection, parents);
  const kept = more.length === 0 ? totalOfValues(collection, filter.field, valuesOf(filter)) : undefined;
  return kept ?? count(collection, scope(collection, parents, filters));
};

const rangeOf = (
  collection: Collection,
  where: Statement,
  columns: readonly string[],
  isDescending: boolean,
): Range => {
  const table = quote(collection.name);
  const direction = isDescending ? ' DESC' : '';
  const cells = rowColumns(collection).join(', ');
  const order = columns.map((column) => column + direction).join(', ');
  const keys = `SELECT ${CREATED} FROM ${table}${where.sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
  return {
    direct: {
      sql: `SELECT ${cells} FROM ${table}${where.sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
      values: where.values,
    },
    deferred: {
      sql: `SELECT ${cells} FROM ${table} WHERE ${CREATED} IN (${keys}) ORDER BY ${order}`,
      values: where.values,
    },
  };
};

const isQuick = ({ parent }: Collection, { filters, sort }: Query): boolean => {
  if (parent) return false;
  const [first, ...more] = filters;
  if (!first) return sort === undefined || sort.indexed;
  return more.length === 0 && sort === undefined && first.field.indexed && first.values.length === 1;
};

/**
 * @param parents keys of the items around the list
 * @returns everything that is to be asked for the list
 */
export const listPlan = (collection: Collection, parents: Keys, query: Query): ListPlan => {
  const { filters, sort, order } = query;
  const isDescending = order === 'desc';
  const around = collection.parent && { sql: itemSql(collection.parent).get, values: parents };
  const common = {
    around,
    total: totalOf(collection, parents, query),
    size: sizeOf(collection, parents),
    change: statement(readChange),
    isQuick: isQuick(collection, query),
  };
  const range = (columns: readonly string[], descending: boolean, more?: string): Range =>
    rangeOf(collection, scope(collection, parents, filters, more), columns, descending);

  if (!sort) return { ...common, present: undefined, ranges: [range([CREATED], isDescending)] };
  const byValue = [sortColumn(sort), ...(kindOf(sort).folded ? [quote(sort.name)] : []), CREATED];
  // A field that is required today may be missing in rows of yesterday; a key never is.
  if (sort.isKey) return { ...common, present: undefined, ranges: [range(byValue, isDescending)] };

  const isThere = `${sortColumn(sort)} IS NOT NULL`;
  const isMissing = `${sortColumn(sort)} IS NULL`;
  const kept = filters.length === 0 ? totalOfPresent(collection, sort) : undefined;
  return {
    ...common,
    present: kept ?? count(collection, scope(collection, parents, filters, isThere)),
    // Missing values come in creation order, whichever way the others are sorted.
    ranges: [range(byValue, isDescending, isThere), range([CREATED], false, isMissing)],
  };
};

/** Rows that are cheaper to skip one by one than by way of an index. */
const FEW = 1_000;

/**
 * The statements whose rows, one after the other, are a window of a list.
 *
 * @param window within the total, so that both numbers are finite
 * @param presentCount what the plan's `present` counted
 */
export const windowStatements = (
  plan: ListPlan,
  { offset, limit }: Window,
  presentCount: number,
): readonly Statement[] => {
  const [first, second] = plan.ranges;
  const inFirst = second ? Math.max(0, Math.min(limit, presentCount - offset)) : limit;
  const windows: readonly (Window & { readonly range: Range | undefined })[] = [
    { range: first, offset, limit: inFirst },
    { range: second, offset: Math.max(0, offset - presentCount), limit: limit - inFirst },
  ];
  return windows.flatMap(({ range, offset, limit }) => {
    if (!range || limit === 0) return [];
    const { sql, values } = offset > FEW && limit <= FEW ? range.deferred : range.direct;
    return [{ sql, values: [...values, limit, offset] }];
  });
};
