import type { Cell } from '../../../gateway/model/field.ts';
import type { Position, Window } from '../../../gateway/model/query.ts';
import type { Found, ListSummary, Row } from '../../../gateway/port/port.ts';
import type { ListSql } from '../../sql/list-sql.ts';
import { endStatements, type ListPlan, windowStatements } from '../../sql/read-plan.ts';
import { type Statement, statement } from '../../sql/statement.ts';
import { type Connection, type Reader, settleAll } from '../connection/connection.ts';

/** Milliseconds after which the server ends an abandoned list: its snapshot keeps old rows alive. */
const ABANDONED = 120_000;

/** The results of a list's statements; `hasParent` is 0 where the parent is missing. */
type Numbers = readonly [hasParent: number, total: number, change: number, present: number];

/** @returns a statement that reads the numbers as one text, so that they are one column beside each row */
export const selectNumbers = ({ parent, total, change, present }: ListSql): Statement => {
  const hasParent = parent ? { ...parent, sql: `CASE WHEN EXISTS (${parent.sql}) THEN 1 ELSE 0 END` } : statement('1');
  const numbers = [hasParent, total, change, present ?? statement('0')];
  const texts = numbers.map(({ sql }) => `CAST((${sql}) AS TEXT)`);
  return { sql: `SELECT ${texts.join(` || ' ' || `)}`, values: numbers.flatMap(({ values }) => values) };
};

const parseNumbers = (text: unknown): Numbers => {
  const [hasParent = 0, total = 0, change = 0, present = 0] = String(text).split(' ').map(Number);
  return [hasParent, total, change, present];
};

export const readNumbers = async (reader: Reader, sql: ListSql): Promise<Numbers> => {
  const [[text] = ['']] = await reader.rows<[string]>(selectNumbers(sql));
  return parseNumbers(text);
};

export const summaryOf = ([hasParent, total, change]: Numbers): ListSummary | undefined =>
  hasParent === 1 ? { total, change } : undefined;

/** @returns the number of rows in a window */
const countIn = ({ offset, limit }: Window, total: number): number => Math.max(0, Math.min(limit, total - offset));

/** A list in a transaction's snapshot, and the statements that read its rows. */
export interface ListInSnapshot extends ListSummary {
  readonly next?: Position | undefined;
  readonly statements: readonly Statement[];
}

/**
 * Begins a transaction, whose snapshot lasts until it ends.
 *
 * @returns `undefined` where the list's parent is missing
 */
export const beginList = async (
  connection: Connection,
  { sql, window }: ListPlan,
): Promise<ListInSnapshot | undefined> => {
  const [, numbers] = await settleAll([
    connection.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', ABANDONED),
    readNumbers(connection, sql),
  ]);
  const summary = summaryOf(numbers);
  if (!summary) return undefined;
  const limit = countIn(window, summary.total);
  const [, , , present] = numbers;
  const statements = limit === 0 ? [] : windowStatements(sql, { ...window, limit }, present);
  const ends = await settleAll(endStatements(sql, window, present).map((each) => connection.rows<Cell[]>(each)));
  const [last, following] = ends.flat();
  return { ...summary, next: following && last, statements };
};

/** Reads a list of two ranges whole. @returns `undefined` where its parent is missing */
export const readRanges = async (connection: Connection, plan: ListPlan): Promise<Found | undefined> => {
  const list = await beginList(connection, plan);
  const [rows] = await settleAll([
    settleAll((list?.statements ?? []).map((each) => connection.rows<Row>(each))),
    connection.exec('COMMIT'),
  ]);
  return list && { total: list.total, change: list.change, rows: rows.flat() };
};

/** How to read a list that one statement cannot read: both ranges whole, or in chunks. */
type Rest = 'ranges' | 'chunks';

/**
 * Reads the first range with the numbers in each row, by one statement, because one statement is one snapshot. Only if there is no
 * row, the numbers are read by another one.
 *
 * @returns `undefined` where the list's parent is missing
 */
export const readAtOnce = async (reader: Reader, plan: ListPlan): Promise<Found | Rest | undefined> => {
  const { sql, window } = plan;
  // Within PostgreSQL's range; any greater offset is beyond the end of every list.
  const bounded = {
    offset: Math.min(window.offset, Number.MAX_SAFE_INTEGER),
    limit: Math.min(window.limit, sql.chunk),
  };
  const [first] = windowStatements(sql, bounded, Infinity, selectNumbers({ ...sql, present: undefined }));
  const read = first ? await reader.rows<[...Row, Cell]>(first) : [];
  const [text] = read.map((row) => row.pop());
  const summary = summaryOf(text === undefined ? await readNumbers(reader, sql) : parseNumbers(text));
  if (!summary) return undefined;
  const rows: readonly Row[] = read;
  const count = countIn(window, summary.total);
  if (rows.length === count) return { ...summary, rows };
  return count > sql.chunk ? 'chunks' : 'ranges';
};
