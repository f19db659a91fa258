import type { Window } from '../../model/query.ts';
import type { ListSummary, Row } from '../port.ts';
import { type ListPlan, windowStatements } from '../sql/lists.ts';
import type { Statement } from '../sql/statement.ts';
import { unavailable } from '../unavailable.ts';
import type { Connection } from './connection.ts';

/** Rows of one chunk; a list that has no more is read in one go. */
export const CHUNK = 500;

/** A list whose rows are read now, chunk by chunk, on the thread that asks. */
export interface SyncListing extends ListSummary {
  readonly chunks: Iterator<readonly Row[], undefined>;
  readonly long: boolean;
}

const numberOf = (connection: Connection, { sql, values }: Statement): number =>
  connection.row<[number]>(sql, values)?.[0] ?? 0;

/** @returns whether there are so many rows to look at that nobody should wait for it on the event loop */
export const isSlow = (connection: Connection, { isQuick, size }: ListPlan): boolean =>
  !isQuick && numberOf(connection, size) > 4 * CHUNK;

/** @returns the summary of a list in the connection's snapshot, or `undefined` where the item around it is missing */
export const summarize = (connection: Connection, { parent, total, change }: ListPlan): ListSummary | undefined => {
  if (parent && !connection.row(parent.sql, parent.values)) return undefined;
  return { total: numberOf(connection, total), change: numberOf(connection, change) };
};

/** A list in the connection's snapshot: how many rows the window holds, and the statements that read them. */
interface Resolved extends ListSummary {
  readonly count: number;
  readonly statements: readonly Statement[];
}

/** @returns the list, its rows not yet read; or `undefined` where the item around it is missing */
export const resolve = (connection: Connection, plan: ListPlan, { offset, limit }: Window): Resolved | undefined => {
  const summary = summarize(connection, plan);
  if (!summary) return undefined;
  const count = Math.max(0, Math.min(limit, summary.total - offset));
  if (count === 0) return { ...summary, count, statements: [] };
  const present = plan.present ? numberOf(connection, plan.present) : 0;
  return { ...summary, count, statements: windowStatements(plan, { offset, limit: count }, present) };
};

/** @returns the rows in chunks */
export function* chunksOf(rows: Iterable<Row>): Generator<readonly Row[], undefined> {
  let chunk: Row[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length === CHUNK) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

function* rowsOf(connection: Connection, statements: readonly Statement[]): Generator<Row> {
  for (const each of statements) yield* connection.iterate<Row>(each);
}

/** An iterator that tells, once, when it is over for whatever reason, even if it was never begun. */
const withEnd = <T>(inner: Iterator<T, undefined>, onEnd: () => void): Iterator<T, undefined> => {
  let isOver = false;
  const end = (): IteratorReturnResult<undefined> => {
    if (!isOver) {
      isOver = true;
      inner.return?.();
      onEnd();
    }
    return { done: true, value: undefined };
  };
  return {
    next: () => {
      // Ended by somebody else: what was read so far must not pass for the whole.
      if (isOver) throw unavailable(new Error('the list was ended'));
      try {
        const result = inner.next();
        return result.done ? end() : result;
      } catch (error) {
        end();
        throw error;
      }
    },
    return: end,
  };
};

/** Connections that read, each holding one snapshot at a time while writes go on beside it. */
export interface Snapshots {
  /** How many are held. */
  readonly held: () => number;
  readonly summarize: (plan: ListPlan) => ListSummary | undefined;
  readonly list: (plan: ListPlan, window: Window) => SyncListing | undefined;
  /** Ends every list that is still being read. */
  readonly close: () => void;
}

/** @param open opens another connection, which is kept for the next list */
export const snapshots = (open: () => Connection): Snapshots => {
  const idle: Connection[] = [];
  /** Connections whose snapshot is held, and how to end it. */
  const busy = new Map<Connection, () => void>();

  /** Begins a snapshot; `use` says how long it is held. */
  const begin = <T>(use: (connection: Connection, release: () => void) => T): T => {
    const connection = idle.pop() ?? open();
    const release = (): void => {
      busy.delete(connection);
      try {
        connection.exec('COMMIT');
        idle.push(connection);
      } catch {
        // The transaction ended by itself, with an error that was told already.
        connection.close();
      }
    };
    try {
      connection.exec('BEGIN');
      return use(connection, release);
    } catch (error) {
      busy.delete(connection);
      connection.close();
      throw error;
    }
  };

  return {
    held: () => busy.size,
    summarize: (plan) =>
      begin((connection, release) => {
        const summary = summarize(connection, plan);
        release();
        return summary;
      }),
    list: (plan, window) =>
      begin((connection, release) => {
        const resolved = resolve(connection, plan, window);
        if (!resolved) {
          release();
          return undefined;
        }
        const { total, change, count, statements } = resolved;
        const chunks = withEnd(chunksOf(rowsOf(connection, statements)), release);
        busy.set(connection, () => chunks.return?.());
        return { total, change, chunks, long: count > CHUNK };
      }),
    close: () => {
      for (const end of busy.values()) end();
      for (const connection of idle.splice(0)) connection.close();
    },
  };
};
