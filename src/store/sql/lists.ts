/**
 * A list as a plan: every statement that reads it, as data that can be sent to a thread. Rows without the value that is
 * sorted by come last in a range of their own, because `ORDER BY x IS NULL` uses no index.
 */
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { type Filter, type Query, type Sort, type Suffix, sortsOf, type Window } from '../../model/query.ts';
import type { Keys } from '../port.ts';
import { CREATED, nestedColumns, rowColumns, sortColumn } from './columns.ts';
import { type Dialect, sqlite } from './dialects.ts';
import { countedGroups, keptGroups } from './groups.ts';
import { selectItem } from './items.ts';
import { countFound, rankedSelection } from './ranked.ts';
import { scope, valuesOf } from './scope.ts';
import { type Search, type SearchIn, sqliteSearch } from './search.ts';
import { quote, type Statement, statement } from './statement.ts';
import { readChange } from './system-tables.ts';
import { totalOfAll, totalOfPresent, totalOfRange, totalOfValues } from './totals.ts';

/** Rows in one order. */
interface Range {
  /** A `WHERE` clause, or empty. */
  readonly where: Statement;
  readonly order: readonly string[];
}

/** Rows that are found, in their order, by something else than a `WHERE` clause of the table. */
interface Selection {
  /** What is read of each row that was found, which is called `_found`. */
  readonly columns: Statement;
  readonly rows: Statement;
  /** Whether the rows are those of a window, whose offset and limit are bound last. */
  readonly bindsWindow?: boolean;
  /** What the found rows are joined with, or empty. */
  readonly join: string;
}

/** Rows of one chunk; a shorter list is read in one go. */
export const CHUNK = 500;
/** The same where each row has any number of others nested in it, so that a chunk fits in memory. */
const NESTED_CHUNK = 50;

export interface ListPlan {
  readonly table: string;
  /** The columns of a `Row`, and those of the rows nested in each. */
  readonly columns: readonly string[];
  /** Finds the parent of a nested list. */
  readonly parent: Statement | undefined;
  readonly total: Statement;
  /** Counts the rows before filtering. */
  readonly size: Statement;
  readonly change: Statement;
  /**
   * Counts the rows of the first range, where there are two: those that have the value that is sorted by. `ALL_PRESENT`
   * where every row of the collection has it.
   */
  readonly present: Statement | undefined;
  readonly ranges: readonly Range[];
  /** `WITH`, before whatever statement is made of the total, or of rows. */
  readonly hits?: Statement | undefined;
  /** Takes the place of ranges. */
  readonly selection?: Selection | undefined;
  /** Whether an index makes it fast at any size; other plans read every row. */
  readonly isQuick: boolean;
  /** Rows of one chunk. */
  readonly chunk: number;
}

const count = ({ name }: Collection, where: Statement): Statement =>
  statement(`SELECT count(*) FROM ${quote(name)}${where.sql}`, where.values);

/** Counts the rows before filtering. */
const sizeOf = (collection: Collection, parents: Keys): Statement =>
  totalOfAll(collection) ?? count(collection, scope(collection, parents, []));

const isRange = ({ operator }: Filter): boolean => operator !== 'equals';

/** @returns reads the number of rows that match, where it is kept: by the values of one field, or of a range of them */
const keptTotal = (collection: Collection, filters: readonly Filter[]): Statement | undefined => {
  const [first, ...more] = filters;
  if (!first || more.some(({ field }) => field !== first.field)) return undefined;
  const endOf = (end: Suffix) => filters.find(({ operator }) => operator === end)?.values[0];
  if (filters.every(isRange)) return totalOfRange(collection, first.field, endOf('from'), endOf('to'));
  return more.length === 0 ? totalOfValues(collection, first.field, valuesOf(first)) : undefined;
};

const totalOf = (
  collection: Collection,
  parents: Keys,
  { filters }: Query,
  search: Search | undefined,
  first: string | undefined,
): Statement => {
  if (search) return countFound(search, collection, parents, filters, first);
  if (filters.length === 0) return sizeOf(collection, parents);
  return keptTotal(collection, filters) ?? count(collection, scope(collection, parents, filters, { first }));
};

/** What a plan's `present` results in where there is nothing to count. */
const ALL_PRESENT = -1;

/**
 * @param isWhole whether the list has all rows
 * @returns counts the rows of a list that have the value that is sorted by, unless kept totals tell that every row has it
 */
const presentIn = (collection: Collection, sort: Field, isWhole: boolean, present: Statement): Statement => {
  const counted = count(collection, present);
  const [kept, all] = [totalOfPresent(collection, sort), totalOfAll(collection)];
  if (!kept || !all) return counted;
  if (isWhole) return kept;
  return {
    sql: `SELECT CASE WHEN (${kept.sql}) = (${all.sql}) THEN ${ALL_PRESENT} ELSE (${counted.sql}) END`,
    values: [...kept.values, ...all.values, ...counted.values],
  };
};

/** @returns whether an index makes a list fast at any size */
export const isQuick = ({ parent }: Collection, { filters, search, group, sort }: Query): boolean => {
  if (parent || search !== undefined || group) return false;
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

const directed = (column: string, { direction }: Pick<Sort, 'direction'>): string =>
  direction === 'desc' ? `${column} DESC` : column;

/** Rows of an earlier catalogue may lack a field that is required today, but never the key. */
const mayLack = ({ isKey }: Field): boolean => !isKey;

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

interface PlanOptions {
  /** Of rows that have others nested in them. */
  readonly dialect?: Dialect;
  /** How the database finds words. */
  readonly searchIn?: SearchIn;
  /** A condition that is evaluated for each row that is read, before all others. */
  readonly first?: string;
}

/** @param parents keys of the parent, none at the top */
export const listPlan = (
  collection: Collection,
  parents: Keys,
  query: Query,
  { dialect = sqlite, searchIn = sqliteSearch, first }: PlanOptions = {},
): ListPlan => {
  const { filters, group, order, include = [] } = query;
  const search = query.search === undefined ? undefined : searchIn(collection, query.search);
  const isWhole = filters.length === 0 && !search;
  const common = {
    table: quote(collection.name),
    columns: [...rowColumns(collection), ...nestedColumns(collection, include, dialect)],
    parent: collection.parent && statement(selectItem(collection.parent), parents),
    total: totalOf(collection, parents, query, search, first),
    size: sizeOf(collection, parents),
    change: statement(readChange),
    isQuick: isQuick(collection, query),
    chunk: include.length > 0 ? NESTED_CHUNK : CHUNK,
    present: undefined,
    ranges: [],
    hits: search?.counted?.hits,
  };
  const matching = search?.all.condition;
  const where = (last?: string): Statement => scope(collection, parents, filters, { first, matching, last });

  if (group) {
    const kept = isWhole ? keptGroups(collection, group) : undefined;
    const { columns, rows, total } = kept ?? countedGroups(collection, group, where());
    return { ...common, total, isQuick: kept !== undefined, selection: { columns, rows, join: '' } };
  }
  const [sort, ...more] = sortsOf(query);
  if (search && !sort && order.length === 0) {
    return { ...common, selection: rankedSelection(common, collection, parents, filters, search, first) };
  }
  if (!sort) {
    const [direction = 'asc'] = order;
    return { ...common, ranges: [{ where: where(), order: [directed(CREATED, { direction })] }] };
  }
  const column = sortColumn(sort.field);
  const rest = orderAfter(more);
  const byValue = [directed(column, sort), ...(more.length > 0 ? rest : [directed(CREATED, sort)])];
  // Whatever passes a filter has a value.
  const lacksNone = !mayLack(sort.field) || filters.some(({ field }) => field === sort.field);
  if (lacksNone) return { ...common, ranges: [{ where: where(), order: byValue }] };

  const present = where(`${column} IS NOT NULL`);
  return {
    ...common,
    present: presentIn(collection, sort.field, isWhole, present),
    ranges: [
      { where: present, order: byValue },
      // In creation order, whichever direction the others are sorted in.
      { where: where(`${column} IS NULL`), order: more.length > 0 ? rest : [CREATED] },
    ],
  };
};

/** Up to this many rows are cheaper to skip one by one than through an index. */
const FEW = 1_000;

/** Reads row after row: for lists that are read from their start. */
const direct = (table: string, columns: string, { where, order }: Range): string =>
  `SELECT ${columns} FROM ${table}${where.sql} ORDER BY ${order.join(', ')} LIMIT ? OFFSET ?`;

/** Finds the rows through an index that covers the order: for pages far down, where earlier rows are skipped unread. */
const deferred = (table: string, columns: string, range: Range): string =>
  `SELECT ${columns} FROM ${table} WHERE ${CREATED} IN (${direct(table, CREATED, range)}) ORDER BY ${range.order.join(', ')}`;

/**
 * @param window both of its numbers must be finite
 * @param present the result of the plan's `present`
 * @param more a value that is added to the end of each row
 * @returns statements that read the rows of a window, one after the other
 */
export const windowStatements = (
  { table, columns, ranges: [first, second], selection }: ListPlan,
  { offset, limit }: Window,
  present: number,
  more?: Statement,
): readonly Statement[] => {
  const added = more ? [`(${more.sql})`] : [];
  const addedValues = more?.values ?? [];
  if (selection) {
    const { columns, rows, bindsWindow, join } = selection;
    const selected = [columns.sql, ...added].join(', ');
    const values = [...columns.values, ...addedValues, ...rows.values];
    if (bindsWindow) {
      return [statement(`SELECT ${selected} FROM (${rows.sql}) AS "_found"${join}`, [...values, offset, limit])];
    }
    return [
      statement(`SELECT ${selected} FROM (${rows.sql} LIMIT ? OFFSET ?) AS "_found"${join}`, [
        ...values,
        limit,
        offset,
      ]),
    ];
  }
  if (!first) return [];
  const presentCount = present === ALL_PRESENT ? Infinity : present;
  const selected = [...columns, ...added].join(', ');
  const read = (range: Range, offset: number, limit: number): readonly Statement[] => {
    if (limit === 0) return [];
    const select = offset > FEW && limit <= FEW ? deferred : direct;
    return [statement(select(table, selected, range), [...addedValues, ...range.where.values, limit, offset])];
  };
  if (!second) return read(first, offset, limit);
  const inFirst = Math.max(0, Math.min(limit, presentCount - offset));
  return [...read(first, offset, inFirst), ...read(second, Math.max(0, offset - presentCount), limit - inFirst)];
};
