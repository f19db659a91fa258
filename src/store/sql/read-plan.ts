import { type Collection, identifies } from '../../gateway/model/catalogue.ts';
import { BETWEEN_KEYS } from '../../gateway/model/import.ts';
import {
  EVERYTHING,
  type Filter,
  type Position,
  type Query,
  type Window,
  windowOf,
} from '../../gateway/model/query.ts';
import type { Found, ReadPlan, ReadRequest, Row } from '../../gateway/port/port.ts';
import { selectIncluding } from './items.ts';
import { type ListSql, listSql, type Range, type SqlOptions } from './list-sql.ts';
import { CREATED, quote, type Statement, statement } from './statement.ts';

/** Decides how something is read, in one place: what a list costs, which shape it has, and which statements read its rows. */

/** A plan with what an SQL database needs for it. */
export type SqlPlan = ItemPlan | ListPlan;

export interface ItemPlan extends ReadPlan {
  readonly shape: 'item';
  /** Reads the item with what it includes; a plain item is read by its collection's own statement. */
  readonly including: Statement | undefined;
}

export interface ListPlan extends ReadPlan {
  readonly shape: 'page' | 'list';
  /** Data that can be sent to a thread. */
  readonly sql: ListSql;
}

const isRange = ({ operator }: Filter): boolean => operator !== 'equals';

/** @returns whether an index finds the rows of a page, whose number alone is counted */
const hasIndex = (collection: Collection, { filters, search, sort, since, include }: Query): boolean => {
  // Any number of items may refer to one that changed, and a filter may leave nearly nothing of a reading from the beginning.
  if (since && include?.some(({ through }) => through)) return false;
  if (since) return since.floor === undefined || (filters.length === 0 && search === undefined);
  if (collection.isNested || search !== undefined) return false;
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
      including: include && statement(selectIncluding(collection, include, options.dialect), keys),
    };
  };
  const listPlan = (request: ReadRequest): ListPlan => {
    const { collection, keys, query } = request;
    const isIndexed = !query.group && hasIndex(collection, query);
    const sql = listSql(collection, keys, query, options);
    const cost = isIndexed || isSmall(sql) ? 'index' : 'scan';
    const { offset, limit } = windowOf(query);
    // One row more tells whether there are any after a page; of others the total does.
    const read = (query.after ?? query.since) ? limit + 1 : limit;
    const shape = read <= sql.chunk ? 'page' : 'list';
    const window = { offset, limit: shape === 'page' ? read : limit };
    const whole =
      shape === 'page' && sql.position.length > 0 ? { ...sql, columns: [...sql.columns, ...sql.position] } : sql;
    return { ...request, shape, cost, window, sql: whole };
  };
  return (request) => (request.of === 'item' ? itemPlan(request) : listPlan(request));
};

/** @returns the SQL of a list whose total counts all rows of a collection, those of every parent if it is nested */
export const sqlOfAll = (collection: Collection, options: SqlOptions): ListSql => {
  const sql = listSql(collection, [], EVERYTHING, options);
  if (!collection.parent) return sql;
  return { ...sql, parent: undefined, total: statement(`SELECT count(*) FROM ${quote(collection.name)}`) };
};

/** Up to this many rows are cheaper to skip one by one than through an index. */
const FEW = 1_000;

/** SQLite plans a statement anew each time it is run where a limit is a bare parameter, whose value its planner looks at. */
const LIMITS = 'LIMIT CAST(? AS bigint) OFFSET ?';

type Source = Pick<ListSql, 'table' | 'isFoundFirst'>;

/** Reads row after row: for lists that are read from their start. */
const direct = ({ table, isFoundFirst }: Source, columns: string, { where, order }: Range): string => {
  const rows = `${table}${where.sql}`;
  // PostgreSQL plans a part with an offset by itself.
  const from = isFoundFirst ? `(SELECT * FROM ${rows} OFFSET 0) AS ${table}` : rows;
  return `SELECT ${columns} FROM ${from} ORDER BY ${order.join(', ')} ${LIMITS}`;
};

/** Finds the rows through an index that covers the order: for pages far down, where earlier rows are skipped unread. */
const deferred = (source: Source, columns: string, range: Range): string =>
  `SELECT ${columns} FROM ${source.table} WHERE ${CREATED} IN (${direct(source, CREATED, range)}) ORDER BY ${range.order.join(', ')}`;

/**
 * @param window both of its numbers must be finite
 * @param present the result of `present`
 * @returns statements that read the rows of a window, one after the other
 */
export const windowStatements = (
  { columns, ranges: [first, second], selection, ...source }: ListSql,
  { offset, limit }: Window,
  present: number,
): readonly Statement[] => {
  if (selection) {
    const { columns: own = statement(columns.join(', ')), rows, join } = selection;
    const values = [...own.values, ...rows.values, limit, offset];
    return [statement(`SELECT ${own.sql} FROM (${rows.sql} ${LIMITS}) AS "_found"${join}`, values)];
  }
  if (!first) return [];
  const selected = columns.join(', ');
  const read = (range: Range, offset: number, limit: number): readonly Statement[] => {
    if (limit === 0) return [];
    const select = offset > FEW && limit <= FEW ? deferred : direct;
    return [statement(select(source, selected, range), [...range.where.values, limit, offset])];
  };
  if (!second) return read(first, offset, limit);
  const inFirst = Math.max(0, Math.min(limit, present - offset));
  return [...read(first, offset, inFirst), ...read(second, Math.max(0, offset - present), limit - inFirst)];
};

/**
 * The position at the end of a window that is too long to be read at once.
 *
 * @returns statements that read it, and of the row after it, where there is one
 */
export const endStatements = (
  { position, chunk, ...sql }: ListSql,
  { offset, limit }: Window,
  present: number,
): readonly Statement[] =>
  position.length === 0 || limit <= chunk
    ? []
    : windowStatements(
        { position, chunk, ...sql, columns: position },
        { offset: offset + limit - 1, limit: 2 },
        present,
      );

/**
 * @param rows end with a position
 * @returns where a page ends, if a row comes after it
 */
const nextOf = (
  { sql: { position }, query }: Pick<ListPlan, 'sql' | 'query'>,
  { total, rows }: Pick<Found, 'total' | 'rows'>,
): Position | undefined => {
  const { limit } = windowOf(query);
  const isMore = ((query.after ?? query.since) ? rows.length : total) > limit;
  return isMore && position.length > 0 ? rows[limit - 1]?.slice(-position.length) : undefined;
};

/** @returns changes without those of items that were deleted again later in the page */
const lastOfEach = (changes: readonly Row[], { fields }: Collection): readonly Row[] => {
  const places = fields.flatMap((field, at) => (identifies(field) ? [at + 1] : []));
  const idOf = (row: Row): string => places.map((at) => row[at]).join(BETWEEN_KEYS);
  const last = new Map(changes.map((row, at) => [idOf(row), at]));
  return changes.filter((row, at) => last.get(idOf(row)) === at);
};

/**
 * @returns a page with the position at its end, but without those of its rows and without the row after it; of the position of a
 * change, whose number is the revision of its row, the number of the creation stays
 */
export const withNext = (plan: ListPlan, found: Found): Found => {
  const { length } = plan.sql.position;
  if (length === 0 || plan.shape === 'list') return found;
  const page = found.rows.slice(0, windowOf(plan.query).limit);
  const { since } = plan.query;
  const rows = since ? lastOfEach(page, plan.collection) : page;
  const next = nextOf(plan, found);
  return {
    ...found,
    rows: rows.map(([revision, ...cells]) => {
      const own = cells.slice(0, -length);
      return since ? [revision, ...own, cells.at(-1) ?? null] : [revision, ...own];
    }),
    next,
  };
};
