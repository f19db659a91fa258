/** Which rows of a list come after a position. */
import {
  POSITION_TEXT,
  type Position,
  type Query,
  type Sort,
  sortsOf,
  sortValue,
} from '../../../gateway/model/query.ts';
import { CREATED, type Statement, sortColumn, statement } from '../statement.ts';

/** What follows the position of the last row in the order of `ListSql`. */
export interface After {
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
export const afterPosition = (table: string, query: Query, position: Position): After => {
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
