import type { Window } from '../../model/query.ts';
import type { ListSummary, Row } from '../port.ts';
import { type ListPlan, windowStatements } from '../sql/lists.ts';
import type { Statement } from '../sql/statement.ts';
import { type Connection, together } from './connection.ts';
import { countIn, readHead, summaryOf } from './heads.ts';

/** Rows of one chunk; a list that has no more is read in one go. */
export const CHUNK = 500;

/** Milliseconds after which the server gives up a list that nobody reads on: its snapshot keeps old rows alive. */
const ABANDONED = 120_000;

/** A list in a connection's snapshot, and the statements that read its rows. */
export interface Resolved extends ListSummary {
  readonly statements: readonly Statement[];
}

/**
 * Begins a snapshot, which holds until its transaction ends.
 *
 * @returns `undefined` where the item around the list is missing
 */
export const begin = async (connection: Connection, plan: ListPlan, window: Window): Promise<Resolved | undefined> => {
  const [, head] = await together([
    connection.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', ABANDONED),
    readHead(connection, plan),
  ]);
  const summary = summaryOf(head);
  if (!summary) return undefined;
  const limit = countIn(window, summary.total);
  const [, , , present] = head;
  return { ...summary, statements: limit === 0 ? [] : windowStatements(plan, { ...window, limit }, present) };
};

/** Reads a list that takes more than one statement, all of it. */
export const readInTransaction = async (
  connection: Connection,
  plan: ListPlan,
  window: Window,
): Promise<(ListSummary & { readonly rows: readonly Row[] }) | undefined> => {
  const { statements = [], ...summary } = (await begin(connection, plan, window)) ?? {};
  const [rows] = await together([
    together(statements.map((each) => connection.rows<Row>(each))),
    connection.exec('COMMIT'),
  ]);
  return 'total' in summary ? { ...summary, rows: rows.flat() } : undefined;
};
