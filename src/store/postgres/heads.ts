import type { Cell } from '../../model/field.ts';
import type { Window } from '../../model/query.ts';
import type { ListSummary, Row } from '../port.ts';
import type { ListPlan } from '../sql/lists.ts';
import { type Statement, statement } from '../sql/statement.ts';
import type { Reader } from './connection.ts';

/** What holds for a whole list; `hasParent` is 1 where the item that it is nested in is there. */
export type Head = readonly [hasParent: number, total: number, change: number, present: number];

/** The numbers of a head as one text, so that a row that carries it is no wider than by a column. */
export const headOf = ({ parent, total, change, present }: ListPlan): Statement => {
  const hasParent = parent ? { ...parent, sql: `CASE WHEN EXISTS (${parent.sql}) THEN 1 ELSE 0 END` } : statement('1');
  const numbers = [hasParent, total, change, present ?? statement('0')];
  const texts = numbers.map(({ sql }) => `CAST((${sql}) AS TEXT)`);
  return { sql: `SELECT ${texts.join(` || ' ' || `)}`, values: numbers.flatMap(({ values }) => values) };
};

const headIn = (text: unknown): Head => String(text).split(' ').map(Number) as unknown as Head;

export const readHead = async (reader: Reader, plan: ListPlan): Promise<Head> => {
  const [[text] = ['']] = await reader.rows<[string]>(headOf(plan));
  return headIn(text);
};

/**
 * Reads rows and what holds for their list by one statement, because one statement is one snapshot.
 *
 * @param rowsAndHead selects rows with the list's head (`headOf`) as their last value
 * @returns no head where there are no rows
 */
export const readWithHead = async (
  reader: Reader,
  rowsAndHead: Statement,
): Promise<{ readonly head: Head | undefined; readonly rows: readonly Row[] }> => {
  const rows = await reader.rows<Cell[]>(rowsAndHead);
  const texts = rows.map((row) => row.pop());
  return { head: texts.length === 0 ? undefined : headIn(texts[0]), rows: rows as unknown as Row[] };
};

export const summaryOf = ([hasParent, total, change]: Head): ListSummary | undefined =>
  hasParent === 1 ? { total, change } : undefined;

/** How many rows of a window there are. */
export const countIn = ({ offset, limit }: Window, total: number): number =>
  Math.max(0, Math.min(limit, total - offset));
