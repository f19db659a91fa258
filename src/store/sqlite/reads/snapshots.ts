import type { Cell } from '../../../gateway/model/field.ts';
import type { Position, Window } from '../../../gateway/model/query.ts';
import type { Found, ListSummary, Row } from '../../../gateway/port/port.ts';
import { unavailable } from '../../../gateway/port/unavailable.ts';
import { chunksOf } from '../../../util/chunks-of.ts';
import type { ListSql } from '../../sql/lists/list-sql.ts';
import { endStatements, windowStatements } from '../../sql/lists/window.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Connection } from '../connection/connection.ts';

/** What was read on the calling thread. */
export interface SyncFound extends Omit<Found, 'rest'> {
  readonly rest?: Iterator<readonly Row[], undefined> | undefined;
}

export const numberOf = (connection: Connection, { sql, values }: Statement): number =>
  connection.row<[number]>(sql, values)?.[0] ?? 0;

/**
 * @param change the change number of the snapshot, where it is known
 * @returns the summary of a list in the connection's snapshot, or `undefined` where its parent is missing
 */
export const summarize = (connection: Connection, sql: ListSql, change?: number): ListSummary | undefined => {
  const { parent, total } = sql;
  if (parent && !connection.row(parent.sql, parent.values)) return undefined;
  return { total: numberOf(connection, total), change: change ?? numberOf(connection, sql.change) };
};

/** A list in the connection's snapshot, with the number of rows in the window and the statements that read them. */
interface Resolved extends ListSummary {
  readonly count: number;
  readonly next?: Position | undefined;
  readonly statements: readonly Statement[];
}

/**
 * @param change the change number of the snapshot, where it is known
 * @returns the list with its rows unread, or `undefined` where its parent is missing
 */
export const resolve = (
  connection: Connection,
  sql: ListSql,
  { offset, limit }: Window,
  change?: number,
): Resolved | undefined => {
  const summary = summarize(connection, sql, change);
  if (!summary) return undefined;
  const count = Math.max(0, Math.min(limit, summary.total - offset));
  if (count === 0) return { ...summary, count, statements: [] };
  const present = sql.present ? numberOf(connection, sql.present) : 0;
  const [last, following] = endStatements(sql, { offset, limit }, present).flatMap((each) =>
    connection.rows<Cell[]>(each),
  );
  const statements = windowStatements(sql, { offset, limit: count }, present);
  return { ...summary, count, next: following && last, statements };
};

function* rowsOf(connection: Connection, statements: readonly Statement[]): Generator<Row> {
  for (const each of statements) yield* connection.iterate<Row>(each);
}

/** Calls `onEnd` once, when the iterator ends, fails (then `isSound` is false) or is returned, even before its first `next`. */
const withEnd = <T>(inner: Iterator<T, undefined>, onEnd: (isSound: boolean) => void): Iterator<T, undefined> => {
  let isOver = false;
  const end = (isSound = true): IteratorReturnResult<undefined> => {
    if (!isOver) {
      isOver = true;
      inner.return?.();
      onEnd(isSound);
    }
    return { done: true, value: undefined };
  };
  return {
    next: () => {
      // Ended by `close`: the rows read so far must not pass for the whole list.
      if (isOver) throw unavailable(new Error('the list was ended'));
      try {
        const result = inner.next();
        return result.done ? end() : result;
      } catch (error) {
        end(false);
        throw error;
      }
    },
    return: () => end(),
  };
};

/** @returns `false` where the transaction had already ended, with an error that was reported */
const isEnded = (connection: Connection): boolean => {
  try {
    connection.exec('COMMIT');
    return true;
  } catch {
    return false;
  }
};

/**
 * Reading connections, each with one snapshot at a time, while writes go on.
 *
 * @param open opens a connection, which later lists use again
 */
export const snapshots = (open: () => Connection) => {
  const idle: Connection[] = [];
  /** Connections with an open snapshot, and a function that ends it. */
  const busy = new Map<Connection, () => void>();

  /** Begins a snapshot, which stays open until `release` is called. */
  const begin = <T>(use: (connection: Connection, release: (isSound: boolean) => void) => T): T => {
    const connection = idle.pop() ?? open();
    let isReleased = false;
    const release = (isSound: boolean): void => {
      if (isReleased) return;
      isReleased = true;
      busy.delete(connection);
      if (isSound && isEnded(connection)) idle.push(connection);
      // A statement that failed halfway would fail again.
      else connection.close();
    };
    try {
      connection.exec('BEGIN');
      return use(connection, release);
    } catch (error) {
      release(false);
      throw error;
    }
  };

  return {
    summarize: (sql: ListSql): ListSummary | undefined =>
      begin((connection, release) => {
        const summary = summarize(connection, sql);
        release(true);
        return summary;
      }),
    read: (sql: ListSql, window: Window): SyncFound | undefined =>
      begin((connection, release) => {
        const resolved = resolve(connection, sql, window);
        if (!resolved) {
          release(true);
          return undefined;
        }
        const { total, change, count, next, statements } = resolved;
        const chunks = withEnd(chunksOf(rowsOf(connection, statements), sql.chunk), release);
        busy.set(connection, () => chunks.return?.());
        const { value: rows = [] } = chunks.next();
        if (count > sql.chunk) return { total, change, rows, next, rest: chunks };
        chunks.return?.();
        return { total, change, rows };
      }),
    /** Ends every list that is still being read, and closes the connections. */
    close: (): void => {
      for (const end of busy.values()) end();
      for (const connection of idle.splice(0)) connection.close();
    },
  };
};
