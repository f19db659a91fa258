import type { Window } from '../../model/query.ts';
import type { Summary } from '../port.ts';
import { type Statement, statement } from '../sql/columns.ts';
import type { ListPlan } from '../sql/lists.ts';
import type { Connection } from './connection.ts';

/** What holds for a whole list. */
export type Head = readonly [isAround: number, total: number, change: number, present: number];

const numbersOf = ({ around, total, change, present }: ListPlan): readonly Statement[] => [
  around ? { ...around, sql: `CASE WHEN EXISTS (${around.sql}) THEN 1 ELSE 0 END` } : statement('1'),
  ...[total, change, present ?? statement('SELECT 0')].map(({ sql, values }) => ({ sql: `(${sql})`, values })),
];

/** @returns a statement for a head as one text, read once by `headIn`: one statement is one snapshot */
const headOf = (plan: ListPlan): Statement => {
  const numbers = numbersOf(plan);
  return {
    sql: `SELECT concat_ws(' ', ${numbers.map(({ sql }) => sql).join(', ')})`,
    values: numbers.flatMap(({ values }) => values),
  };
};

/** Puts the head before the cells of each row of a statement that selects names of columns only. */
export const withHead = (plan: ListPlan, { sql, values }: Statement): Statement => {
  const head = headOf(plan);
  return { sql: sql.replace('SELECT ', () => `SELECT (${head.sql}), `), values: [...head.values, ...values] };
};

export const headIn = (text: string): Head => text.split(' ').map(Number) as unknown as Head;

export const summaryOf = ([isAround, total, change]: Head): Summary | undefined =>
  isAround === 1 ? { total, change } : undefined;

/** How many rows of a window there are. */
export const countIn = ({ offset, limit }: Window, total: number): number =>
  Math.max(0, Math.min(limit, total - offset));

export const readHead = async (connection: Connection, plan: ListPlan): Promise<Head> => {
  const [[head] = ['']] = await connection.rows<[string]>(headOf(plan));
  return headIn(head);
};
