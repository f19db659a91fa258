/** Decides how something is read, in one place: what a list costs, which shape it has, and whether kept rows may serve it. */
import type { Collection } from '../../../gateway/model/catalogue.ts';
import { EVERYTHING, type Query, windowOf } from '../../../gateway/model/query.ts';
import type { ListFormat, ReadPlan, ReadRequest } from '../../../gateway/port/port.ts';
import { selectWithNested } from '../items.ts';
import { quote, type Statement, statement } from '../statement.ts';
import { isRange } from '../totals.ts';
import { type ListSql, listSql, type SqlOptions } from './list-sql.ts';

/** A plan with what an SQL database needs for it. */
export type SqlPlan = ItemPlan | ListPlan;

export interface ItemPlan extends ReadPlan {
  readonly shape: 'item';
  /** Reads the item with what is nested in it; a plain item is read by its collection's own statement. */
  readonly withNested: Statement | undefined;
}

export interface ListPlan extends ReadPlan {
  readonly shape: 'page' | 'list';
  /** The format in which rows that were read before may serve it. */
  readonly keptAs: ListFormat | undefined;
  /** Data that can be sent to a thread. */
  readonly sql: ListSql;
}

/** @returns whether an index makes a list fast at any size */
const hasIndex = ({ parent }: Collection, { filters, search, sort, since }: Query): boolean => {
  // A filter may leave nearly nothing of a reading from the beginning.
  if (since) return since.floor === undefined || (filters.length === 0 && search === undefined);
  if (parent || search !== undefined) return false;
  const [first, ...more] = filters;
  const [by, ...others] = sort;
  // Any number of rows may have the same value of the first field, and be sorted by the second.
  if (others.length > 0) return false;
  if (!first) return by === undefined || by.indexed;
  if (!first.field.indexed) return false;
  // The rows of a range are next to each other in the order of its field only.
  if (filters.every(isRange)) return by !== undefined && filters.every(({ field }) => field === by);
  return more.length === 0 && by === undefined && first.values.length === 1;
};

export interface PlannerOptions extends SqlOptions {
  /** @returns whether a list has so few rows before filtering that reading all of them costs no more than an index; never by default */
  readonly isSmall?: (sql: ListSql) => boolean;
}

/** @returns a function that plans a read */
export const plannerOf = ({
  first,
  isSmall = () => false,
  ...options
}: PlannerOptions): ((request: ReadRequest) => SqlPlan) => {
  const itemPlan = (request: ReadRequest): ItemPlan => {
    const { collection, keys, query } = request;
    const { include } = query;
    return {
      ...request,
      shape: 'item',
      cost: 'index',
      window: windowOf(EVERYTHING),
      withNested: include && statement(selectWithNested(collection, include, options.dialect), keys),
    };
  };
  const listPlan = (request: ReadRequest): ListPlan => {
    const { collection, keys, query, format } = request;
    const isIndexed = !query.group && hasIndex(collection, query);
    const sql = listSql(collection, keys, query, { ...options, first: isIndexed ? undefined : first });
    const cost = isIndexed || sql.hasKeptGroups || isSmall(sql) ? 'index' : 'scan';
    const { offset, limit } = windowOf(query);
    // One row more tells whether there are any after a page; of others the total does.
    const read = (query.after ?? query.since) ? limit + 1 : limit;
    const shape = read <= sql.chunk ? 'page' : 'list';
    const mayKeep = isIndexed && shape === 'page' && !query.include && !query.after && !query.since;
    const window = { offset, limit: shape === 'page' ? read : limit };
    const ends = shape === 'page' && sql.position.length > 0;
    const whole = ends ? { ...sql, columns: [...sql.columns, ...sql.position] } : sql;
    return { ...request, shape, cost, window, keptAs: mayKeep ? format : undefined, sql: whole };
  };
  return (request) => (request.of === 'item' ? itemPlan(request) : listPlan(request));
};

/** @returns the SQL of a list whose total counts all rows of a collection; of a nested one, which has no stored totals, one by one */
export const sqlOfAll = (collection: Collection, options: SqlOptions): ListSql => {
  const sql = listSql(collection, [], EVERYTHING, options);
  if (!collection.parent) return sql;
  return { ...sql, parent: undefined, total: statement(`SELECT count(*) FROM ${quote(collection.name)}`) };
};
