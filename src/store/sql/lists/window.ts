import { type Position, type Window, windowOf } from '../../../gateway/model/query.ts';
import type { Found, ReadPlan, Row } from '../../../gateway/port/port.ts';
import { CREATED, type Statement, statement } from '../statement.ts';
import { ALL_PRESENT } from '../totals.ts';
import type { ListSql, Range } from './list-sql.ts';

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
 * @param more a value that is added to the end of each row
 * @returns statements that read the rows of a window, one after the other
 */
export const windowStatements = (
  { columns, ranges: [first, second], selection, ...source }: ListSql,
  { offset, limit }: Window,
  present: number,
  more?: Statement,
): readonly Statement[] => {
  const added = more ? [`(${more.sql})`] : [];
  const addedValues = more?.values ?? [];
  if (selection) {
    const { columns: own = statement(columns.join(', ')), rows, join } = selection;
    const selected = [own.sql, ...added].join(', ');
    const values = [...own.values, ...addedValues, ...rows.values];
    return [
      statement(`SELECT ${selected} FROM (${rows.sql} ${LIMITS}) AS "_found"${join}`, [...values, limit, offset]),
    ];
  }
  if (!first) return [];
  const presentCount = present === ALL_PRESENT ? Infinity : present;
  const selected = [...columns, ...added].join(', ');
  const read = (range: Range, offset: number, limit: number): readonly Statement[] => {
    if (limit === 0) return [];
    const select = offset > FEW && limit <= FEW ? deferred : direct;
    return [statement(select(source, selected, range), [...addedValues, ...range.where.values, limit, offset])];
  };
  if (!second) return read(first, offset, limit);
  const inFirst = Math.max(0, Math.min(limit, presentCount - offset));
  return [...read(first, offset, inFirst), ...read(second, Math.max(0, offset - presentCount), limit - inFirst)];
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

/** The plan of a list, as far as its pages are concerned. */
interface PagePlan extends Pick<ReadPlan, 'query' | 'shape'> {
  readonly sql: { readonly position: readonly string[] };
}

/**
 * @param rows end with a position
 * @returns where a page ends, if a row comes after it
 */
export const nextOf = (
  { sql: { position }, query }: PagePlan,
  { total, rows }: Pick<Found, 'total' | 'rows'>,
): Position | undefined => {
  const { limit } = windowOf(query);
  const isMore = ((query.after ?? query.since) ? rows.length : total) > limit;
  return isMore && position.length > 0 ? rows[limit - 1]?.slice(-position.length) : undefined;
};

/** @returns changes without those of items that were deleted again later in the page */
const lastOfEach = (changes: readonly Row[]): readonly Row[] => {
  const last = new Map(changes.map(([, key], at) => [key, at]));
  return changes.filter(([, key], at) => last.get(key) === at);
};

/** @returns a page with the position at its end, but without those of its rows and without the row after it */
export const withNext = (plan: PagePlan, found: Found): Found => {
  const { length } = plan.sql.position;
  if (length === 0 || plan.shape === 'list') return found;
  const page = found.rows.slice(0, windowOf(plan.query).limit);
  const rows = plan.query.since ? lastOfEach(page) : page;
  const next = nextOf(plan, found);
  return { ...found, rows: rows.map(([revision, ...cells]) => [revision, ...cells.slice(0, -length)]), next };
};
