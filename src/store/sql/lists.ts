import { type Collection, identifies, keyIds } from '../../gateway/model/catalogue.ts';
import { BETWEEN_KEYS } from '../../gateway/model/import.ts';
import {
  CURSOR_TEXT,
  type Cursor,
  EVERYTHING,
  type Filter,
  isByFields,
  isNesting,
  isRanked,
  type Query,
  readSorts,
  requireKnown,
  type Sort,
  selectWindow,
  sortValue,
  usesCursor,
  type Window,
} from '../../gateway/model/query.ts';
import type { Keys, ReadPlan, ReadRequest, ReadResult, Row } from '../../gateway/port/port.ts';
import { buildIncluded, selectIncluding, selectItem } from './items.ts';
import { countRanked, type SearchIn, type Selection, selectChanges, selectGroups, selectRanked } from './selections.ts';
import {
  buildComparedColumn,
  buildSortColumn,
  buildWhere,
  CREATED,
  countRows,
  countUpTo,
  type Dialect,
  listColumns,
  quote,
  type Statement,
  statement,
} from './statement.ts';
import { readChange } from './system-tables.ts';

interface Range {
  readonly where: Statement;
  readonly order: readonly string[];
}

const CHUNK = 500;
/** Rows of one chunk if each has any number of others nested in it, so that a chunk fits in memory. */
const NESTED_CHUNK = 50;

/** The most rows of a list that is small: to read all of them costs no more than an index. */
export const SMALL = 2_000;

export interface ListSql {
  readonly table: string;
  readonly columns: readonly string[];
  /** The columns of a cursor, which a page reads, too; empty if pages do not follow each other by cursors. */
  readonly cursorColumns: readonly string[];
  readonly parent: Statement | undefined;
  readonly total: Statement;
  /** Counts the rows before filtering, but none beyond one more than `SMALL`. */
  readonly size: Statement;
  readonly change: Statement;
  /** Counts the first of two ranges, whose rows have the value that is sorted by, up to the row after the window. */
  readonly present: Statement | undefined;
  /** Rows without the value that is sorted by have a range of their own, because `ORDER BY x IS NULL` uses no index. */
  readonly ranges: readonly Range[];
  readonly isFoundFirst?: boolean | undefined;
  readonly selection?: Selection | undefined;
  readonly chunk: number;
}

export interface SqlOptions {
  readonly dialect: Dialect;
  readonly searchIn: SearchIn;
  /** @returns whether a list has so few rows before filtering that reading all of them costs no more than an index; never by default */
  readonly isSmall?: (sql: ListSql) => boolean;
}

function orderBy(column: string, { direction }: Pick<Sort, 'direction'>): string {
  return direction === 'desc' ? `${column} DESC` : column;
}

function orderAfter(sorts: readonly Sort[]): readonly string[] {
  const columns = sorts.map(
    (sort) => orderBy(buildSortColumn(sort.field), sort) + (identifies(sort.field) ? '' : ' NULLS LAST'),
  );
  const last = sorts.at(-1);
  if (!last) return [];
  // Missing values are in creation order, whatever the direction.
  const isMixed = last.direction === 'desc' && !identifies(last.field);
  const column = buildSortColumn(last.field);
  const created = `CASE WHEN ${column} IS NULL THEN ${CREATED} ELSE -${CREATED} END`;
  return [...columns, isMixed ? created : orderBy(CREATED, last)];
}

function listCursorColumns(query: Query): readonly string[] {
  if (!usesCursor(query)) return [];
  if (isRanked(query)) return ['"_found"."rank"', `"_found".${CREATED}`];
  // The value is compared, not its place in a language's order, so that a cursor is valid in every language.
  return [...query.sort.map(buildComparedColumn), CREATED];
}

export function listSql(
  collection: Collection,
  parents: Keys,
  query: Query,
  { dialect, searchIn }: SqlOptions,
): ListSql {
  const { filters, group, order, include = [], after, changesAfter } = query;
  const search = query.search === undefined ? undefined : searchIn(collection, query.search);
  const searchedList = { collection, parents, filters, after: after?.position };
  const matching = search?.all.condition;
  const where = (...last: readonly (Statement | undefined)[]): Statement =>
    buildWhere(collection, parents, filters, [matching, ...last]);
  const table = quote(collection.name);
  const inclusions = include.length > 0 ? buildIncluded(collection, include, dialect) : [];
  const common = {
    table,
    columns: [...listColumns(collection), ...inclusions],
    cursorColumns: listCursorColumns(query),
    parent: collection.parent && statement(selectItem(collection.parent), keyIds(collection, parents)),
    total: search ? countRanked(search, searchedList) : countRows(collection, where()),
    size: countUpTo(collection, buildWhere(collection, parents, []), SMALL + 1),
    change: statement(readChange),
    chunk: isNesting(query) ? NESTED_CHUNK : CHUNK,
    present: undefined,
    ranges: [],
    isFoundFirst: search?.isFoundFirst,
  };
  const { offset, limit } = selectWindow(query);
  if (changesAfter) {
    const list = { collection, parents, filters, matching, include, since: changesAfter, most: limit + 1 };
    return { ...common, ...selectChanges(list, inclusions) };
  }
  if (group) return { ...common, ...selectGroups(collection, group, where()) };
  if (search && isRanked(query)) return { ...common, selection: selectRanked(searchedList, search) };
  const [sort, ...more] = readSorts(query);
  const afterCursor = after && testAfter(table, query, after.position);
  if (!sort) {
    const [direction = 'asc'] = order;
    return { ...common, ranges: [{ where: where(afterCursor?.present), order: [orderBy(CREATED, { direction })] }] };
  }
  const column = buildSortColumn(sort.field);
  const rest = orderAfter(more);
  const byValue = [orderBy(column, sort), ...(more.length > 0 ? rest : [orderBy(CREATED, sort)])];
  // Whatever passes a filter has a value; rows of an earlier catalogue may lack a field that is required today, but never a key.
  const lacksNone = identifies(sort.field) || filters.some(({ field }) => field === sort.field);
  if (lacksNone) return { ...common, ranges: [{ where: where(afterCursor?.present), order: byValue }] };

  const withoutValue = {
    where: where(statement(`${column} IS NULL`), afterCursor?.absent),
    order: more.length > 0 ? rest : [CREATED],
  };
  if (afterCursor && !afterCursor.present) return { ...common, ranges: [withoutValue] };
  const withValue = where(statement(`${column} IS NOT NULL`), afterCursor?.present);
  return {
    ...common,
    present: countUpTo(collection, withValue, offset + limit + 1),
    ranges: [{ where: withValue, order: byValue }, withoutValue],
  };
}

function buildWholeValue(table: string, column: string, value: Cursor[number], created: Cursor[number]): Statement {
  if (typeof value !== 'string' || value.length < CURSOR_TEXT - 1) return statement('?', [value]);
  const whole = `SELECT ${column} FROM ${table} WHERE ${CREATED} = ? AND ${column} BETWEEN ? AND ?`;
  return statement(`COALESCE((${whole}), ?)`, [created, value, `${value}\u{10ffff}`, value]);
}

function chooseSign({ direction }: Pick<Sort, 'direction'>): string {
  return direction === 'desc' ? '<' : '>';
}

function compareCursor(
  table: string,
  [sort, ...more]: readonly Sort[],
  cursor: Cursor,
  byCreation: Statement,
): Statement {
  const [value = null, ...values] = cursor;
  if (!sort) return byCreation;
  const column = buildSortColumn(sort.field);
  const rest = compareCursor(table, more, values, byCreation);
  if (value === null) return statement(`${column} IS NULL AND ${rest.sql}`, rest.values);
  const boundary = buildWholeValue(table, column, sortValue(sort.field, value), cursor.at(-1) ?? null);
  const sql = `(${column} ${chooseSign(sort)} ${boundary.sql} OR ${column} IS NULL OR ${column} = ${boundary.sql} AND ${rest.sql})`;
  return statement(sql, [...boundary.values, ...boundary.values, ...rest.values]);
}

/** @returns conditions for the rows with a value in the first field of the sort, and for those without; none for a range that is all before the cursor */
function testAfter(
  table: string,
  query: Query,
  cursor: Cursor,
): { readonly present?: Statement; readonly absent?: Statement } {
  const sorts = readSorts(query);
  const [first, ...more] = sorts;
  const created = cursor.at(-1) ?? null;
  // Missing values are in creation order, whatever the direction.
  const isLacking = first !== undefined && (cursor.at(-2) ?? null) === null;
  const sign = isLacking ? '>' : chooseSign(sorts.at(-1) ?? { direction: query.order[0] ?? 'asc' });
  const byCreation = statement(`${CREATED} ${sign} ?`, [created]);
  if (!first) return { present: byCreation };
  const [value = null, ...values] = cursor;
  if (value === null) return { absent: compareCursor(table, more, values, byCreation) };
  const column = buildSortColumn(first.field);
  const boundary = buildWholeValue(table, column, sortValue(first.field, value), created);
  // An index leads to the first of these rows.
  if (more.length === 0) {
    const row = `(${column}, ${CREATED}) ${sign} (${boundary.sql}, ?)`;
    return { present: statement(row, [...boundary.values, created]) };
  }
  const laterRows = compareCursor(table, sorts, cursor, byCreation);
  const sql = `${column} ${chooseSign(first)}= ${boundary.sql} AND ${laterRows.sql}`;
  return { present: statement(sql, [...boundary.values, ...laterRows.values]) };
}

export type SqlPlan = ItemPlan | ListPlan;

export interface ItemPlan extends ReadPlan {
  readonly shape: 'item';
  readonly including: Statement | undefined;
}

export interface ListPlan extends ReadPlan {
  readonly shape: 'page' | 'list';
  readonly sql: ListSql;
}

function hasIndex(collection: Collection, query: Query): boolean {
  const { filters, search, sort, changesAfter, include } = query;
  // Any number of items may refer to one that changed, and a filter may leave nearly nothing of a reading from the beginning.
  if (changesAfter && include?.some(({ through }) => through)) return false;
  if (changesAfter) return changesAfter.snapshotStart === undefined || (filters.length === 0 && search === undefined);
  if (collection.isChild || search !== undefined || !isByFields(query)) return false;
  const [first, ...more] = filters;
  const [by, ...others] = sort;
  // Any number of rows may have the same value of the first field, and be sorted by the second.
  if (others.length > 0) return false;
  if (!first) return by === undefined || by.indexed;
  if (!first.field.indexed) return false;
  // The rows of a range are next to each other in the order of its field only.
  const areRanges = filters.every(({ operator }: Filter) => operator !== 'equals');
  if (areRanges) return by !== undefined && filters.every(({ field }) => field === by);
  return more.length === 0 && by === undefined && first.values.length === 1;
}

/** The members of a query that the statements here honour. A new member belongs here only once they do. */
const KNOWN = [
  'filters',
  'search',
  'group',
  'sort',
  'order',
  'size',
  'page',
  'after',
  'changesAfter',
  'include',
] as const;

export function planRead(request: ReadRequest, { isSmall = () => false, ...options }: SqlOptions): SqlPlan {
  const { of, collection, keys, query } = request;
  requireKnown(query, KNOWN);
  if (of === 'item') {
    const { include } = query;
    const including =
      include && statement(selectIncluding(collection, include, options.dialect), keyIds(collection, keys));
    return { ...request, shape: 'item', cost: 'index', window: selectWindow(EVERYTHING), including };
  }
  const sql = listSql(collection, keys, query, options);
  const cost = (!query.group && hasIndex(collection, query)) || isSmall(sql) ? 'index' : 'scan';
  const { offset, limit } = selectWindow(query);
  // One row more tells whether there are any after a page; of others the total does.
  const most = (query.after ?? query.changesAfter) ? limit + 1 : limit;
  if (most > sql.chunk) return { ...request, shape: 'list', cost, window: { offset, limit }, sql };
  const columns = [...sql.columns, ...sql.cursorColumns];
  return { ...request, shape: 'page', cost, window: { offset, limit: most }, sql: { ...sql, columns } };
}

/** The most rows that are cheaper to skip one by one than through an index. */
const FEW = 1_000;

/** SQLite plans a statement anew each time it is run if a limit is a bare parameter, whose value its planner looks at. */
const LIMITS = 'LIMIT CAST(? AS bigint) OFFSET ?';

type Source = Pick<ListSql, 'table' | 'isFoundFirst'>;

function selectDirectly({ table, isFoundFirst }: Source, columns: string, { where, order }: Range): string {
  const rows = `${table}${where.sql}`;
  // PostgreSQL plans a part with an offset by itself.
  const from = isFoundFirst ? `(SELECT * FROM ${rows} OFFSET 0) AS ${table}` : rows;
  return `SELECT ${columns} FROM ${from} ORDER BY ${order.join(', ')} ${LIMITS}`;
}

/** Finds the rows through an index that covers the order: for pages far down, before which rows are skipped unread. */
function selectDeferred(source: Source, columns: string, range: Range): string {
  const created = selectDirectly(source, CREATED, range);
  return `SELECT ${columns} FROM ${source.table} WHERE ${CREATED} IN (${created}) ORDER BY ${range.order.join(', ')}`;
}

export function buildWindow(
  { columns, ranges: [first, second], selection, ...source }: ListSql,
  { offset, limit }: Window,
  present: number,
  more?: Statement,
): readonly Statement[] {
  const { sql: added, values: addedValues } = more ? statement(`, (${more.sql})`, more.values) : statement('');
  if (selection) {
    const { columns: own = statement(columns.join(', ')), rows, join } = selection;
    const sql = `SELECT ${own.sql}${added} FROM (${rows.sql} ${LIMITS}) AS "_found"${join}`;
    return [statement(sql, [...own.values, ...addedValues, ...rows.values, limit, offset])];
  }
  if (!first) return [];
  const selectRange = (range: Range, offset: number, limit: number): readonly Statement[] => {
    if (limit === 0) return [];
    const select = offset > FEW && limit <= FEW ? selectDeferred : selectDirectly;
    const sql = select(source, columns.join(', ') + added, range);
    return [statement(sql, [...addedValues, ...range.where.values, limit, offset])];
  };
  if (!second) return selectRange(first, offset, limit);
  const inFirst = Math.max(0, Math.min(limit, present - offset));
  return [
    ...selectRange(first, offset, inFirst),
    ...selectRange(second, Math.max(0, offset - present), limit - inFirst),
  ];
}

export function countInWindow({ offset, limit }: Window, total: number): number {
  return Math.max(0, Math.min(limit, total - offset));
}

export function buildEnds(sql: ListSql, { offset, limit }: Window, present: number): readonly Statement[] {
  if (sql.cursorColumns.length === 0 || limit <= sql.chunk) return [];
  return buildWindow({ ...sql, columns: sql.cursorColumns }, { offset: offset + limit - 1, limit: 2 }, present);
}

function keepLastChanges(changes: readonly Row[], { fields }: Collection): readonly Row[] {
  const places = fields.flatMap((field, at) => (identifies(field) ? [at + 1] : []));
  const ids = changes.map((row) => places.map((at) => row[at]).join(BETWEEN_KEYS));
  const last = new Map(ids.map((id, at) => [id, at]));
  return changes.filter((_, at) => last.get(ids[at] ?? '') === at);
}

export function addNextCursor({ sql, shape, query, collection }: ListPlan, list: ReadResult): ReadResult {
  const { length } = sql.cursorColumns;
  if (length === 0 || shape === 'list') return list;
  const { limit } = selectWindow(query);
  const { changesAfter } = query;
  const isMore = ((query.after ?? changesAfter) ? list.rows.length : list.total) > limit;
  const page = list.rows.slice(0, limit);
  const rows = (changesAfter ? keepLastChanges(page, collection) : page).map(([revision, ...cells]): Row => {
    const itemCells = cells.slice(0, -length);
    return changesAfter ? [revision, ...itemCells, cells.at(-1) ?? null] : [revision, ...itemCells];
  });
  return { ...list, rows, nextCursor: isMore ? page[limit - 1]?.slice(-length) : undefined };
}
