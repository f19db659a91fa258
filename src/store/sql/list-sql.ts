import { type Collection, identifies } from '../../gateway/model/catalogue.ts';
import type { Field } from '../../gateway/model/field.ts';
import {
  type Filter,
  isNesting,
  isRanked,
  isWalked,
  POSITION_TEXT,
  type Position,
  type Query,
  type Sort,
  sortsOf,
  sortValue,
  TOTAL,
  windowOf,
} from '../../gateway/model/query.ts';
import type { Keys } from '../../gateway/port/port.ts';
import { changesSql } from './changes.ts';
import { includedColumns, selectItem } from './items.ts';
import type { Matching, Search, SearchIn } from './search.ts';
import {
  CREATED,
  columnOf,
  comparedColumn,
  countRows,
  countUpTo,
  type Dialect,
  isFolded,
  quote,
  REVISION,
  rowColumns,
  type Statement,
  scope,
  sortColumn,
  statement,
} from './statement.ts';
import { readChange } from './system-tables.ts';

/**
 * The SQL of a list: every statement that reads it, as data that can be sent to a thread. Rows without the value that is
 * sorted by come last in a range of their own, because `ORDER BY x IS NULL` uses no index.
 */

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

/** Which rows of a list come after a position. */

/** What follows the position of the last row in the order of `ListSql`. */
interface After {
  /** Among rows that have a value in the first field of the sort, or that need none; `undefined` where no such row comes after. */
  readonly present: Statement | undefined;
  /** Among those that have none; `undefined` where all of them come after. */
  readonly absent: Statement | undefined;
}

/** @returns a value; one that was cut is looked up in its row, as long as that is there */
const valueIn = (table: string, column: string, value: Position[number], created: Position[number]): Statement => {
  if (typeof value !== 'string' || value.length < POSITION_TEXT - 1) return statement('?', [value]);
  const whole = `SELECT ${column} FROM ${table} WHERE ${CREATED} = ? AND ${column} BETWEEN ? AND ?`;
  return statement(`COALESCE((${whole}), ?)`, [created, value, `${value}\u{10ffff}`, value]);
};

const signOf = ({ direction }: Pick<Sort, 'direction'>): string => (direction === 'desc' ? '<' : '>');

/** @param table the list's */
const afterPosition = (table: string, query: Query, position: Position): After => {
  const sorts = sortsOf(query);
  const [first, ...more] = sorts;
  const created = position.at(-1) ?? null;
  const [last, lastValue] = [sorts.at(-1) ?? { direction: query.order[0] ?? 'asc' }, position.at(-2) ?? null];
  // Missing values are in creation order, whatever the direction.
  const sign = first && lastValue === null ? '>' : signOf(last);
  const byCreation = statement(`${CREATED} ${sign} ?`, [created]);
  if (!first) return { present: byCreation, absent: undefined };

  const beyond = ([sort, ...others]: readonly Sort[], [value = null, ...values]: Position): Statement => {
    if (!sort) return byCreation;
    const column = sortColumn(sort.field);
    const rest = beyond(others, values);
    if (value === null) return statement(`${column} IS NULL AND ${rest.sql}`, rest.values);
    const bound = valueIn(table, column, sortValue(sort.field, value), created);
    const sql = `(${column} ${signOf(sort)} ${bound.sql} OR ${column} IS NULL OR ${column} = ${bound.sql} AND ${rest.sql})`;
    return statement(sql, [...bound.values, ...bound.values, ...rest.values]);
  };
  const [value = null, ...values] = position;
  if (value === null) return { present: undefined, absent: beyond(more, values) };
  const column = sortColumn(first.field);
  const bound = valueIn(table, column, sortValue(first.field, value), created);
  // An index leads to the first of these rows.
  if (more.length === 0) {
    const row = `(${column}, ${CREATED}) ${sign} (${bound.sql}, ?)`;
    return { present: statement(row, [...bound.values, created]), absent: undefined };
  }
  const following = beyond(sorts, position);
  const sql = `${column} ${signOf(first)}= ${bound.sql} AND ${following.sql}`;
  return { present: statement(sql, [...bound.values, ...following.values]), absent: undefined };
};

/**
 * Groups of a list as a selection of its plan: one row for each value of a field, with the number of items that have it.
 * Most come first, then by value; the items that lack the field are the last group.
 */

interface Groups {
  readonly columns: Statement;
  /** In order. */
  readonly rows: Statement;
  readonly total: Statement;
}

const VALUE = '"_found"."value"';

/** In the order of a `Row` of groups. Groups have no revision. */
const columnsOf = (field: Field, { sql, values }: Statement): Statement =>
  statement(`0 AS ${REVISION}, ${sql} AS ${quote(field.name)}, "_found"."count" AS ${quote(TOTAL)}`, values);

const ordered = ({ sql, values }: Statement): Statement =>
  statement(`SELECT * FROM (${sql}) AS "_groups" ORDER BY "value" IS NULL, "count" DESC, "value"`, values);

const counted = ({ sql, values }: Statement): Statement =>
  statement(`SELECT count(*) FROM (${sql}) AS "_groups"`, values);

/** The most frequent of several spellings; of equally frequent ones the first by code points. */
const writings = (table: string, text: string, folded: string, where: string): string => {
  const each = `SELECT ${folded} AS "value", ${text} AS "text", count(*) AS "count" FROM ${table}${where} GROUP BY ${folded}, ${text}`;
  const ranked = `SELECT "value", "text", CAST(sum("count") OVER (PARTITION BY "value") AS BIGINT) AS "count", row_number() OVER (PARTITION BY "value" ORDER BY "count" DESC, "text") AS "rank" FROM (${each}) AS "_each"`;
  return `SELECT "value", "text", "count" FROM (${ranked}) AS "_ranked" WHERE "rank" = 1`;
};

/** @returns groups of the items that a `WHERE` clause leaves */
const groupsOf = ({ name }: Collection, field: Field, where: Statement): Groups => {
  const [table, column] = [quote(name), sortColumn(field)];
  const values = `SELECT ${column} AS "value", count(*) AS "count" FROM ${table}${where.sql} GROUP BY ${column}`;
  const isText = isFolded(field);
  const rows = isText ? writings(table, columnOf(field), column, where.sql) : values;
  return {
    columns: columnsOf(field, statement(isText ? '"_found"."text"' : VALUE)),
    rows: ordered(statement(rows, where.values)),
    total: counted(statement(values, where.values)),
  };
};

/** What a search finds, best first, as a selection of a list's plan. */

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

const rankedSelection = (table: string, list: SearchedList, { ranks }: Search) => {
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
const countFound = ({ all }: Search, list: SearchedList): Statement => {
  const { sql, values } = rowsOf(list, all, 0);
  return statement(`SELECT count(*) FROM (${sql}) AS "_all"`, values);
};
