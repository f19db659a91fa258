/** Lists that are read in chunks, each from a snapshot on a connection of its own, while writes go on. */
import type { Window } from '../../../gateway/model/query.ts';
import type { Found, Row } from '../../../gateway/port/port.ts';
import { chunksOf } from '../../../util/chunks-of.ts';
import type { ListSql } from '../../sql/lists/list-sql.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Connection } from '../connection/connection.ts';
import { resolve } from './reads.ts';

/** What was read on the calling thread. */
export interface SyncFound extends Omit<Found, 'rest'> {
  readonly rest?: Iterator<readonly Row[], undefined> | undefined;
}

function* rowsOf(connection: Connection, statements: readonly Statement[]): Generator<Row> {
  for (const each of statements) yield* connection.iterate<Row>(each);
}

/**
 * Yields the chunks of a list, each with what is known of the whole; none where its parent is missing.
 *
 * @param onEnd called at the end, also where it fails or is returned early
 */
function* chunksIn(connection: Connection, sql: ListSql, window: Window, onEnd: (isSound: boolean) => void) {
  let isSound = true;
  try {
    connection.exec('BEGIN');
    const found = resolve(connection, sql, window);
    if (!found) return;
    const { statements, ...whole } = found;
    if (whole.count === 0) yield { ...whole, rows: [] };
    for (const rows of chunksOf(rowsOf(connection, statements), sql.chunk)) yield { ...whole, rows };
  } catch (error) {
    isSound = false;
    throw error;
  } finally {
    onEnd(isSound);
  }
}

/**
 * Reading connections, each with one snapshot at a time, while writes go on.
 *
 * @param open opens a connection, which later lists use again
 */
export const snapshots = (open: () => Connection) => {
  const idle: Connection[] = [];
  return {
    /** @returns a list, whose snapshot stays open until its rest was read, or returned */
    read: (sql: ListSql, window: Window): SyncFound | undefined => {
      const connection = idle.pop() ?? open();
      const chunks = chunksIn(connection, sql, window, (isSound) => {
        // A statement that failed halfway would fail again.
        if (!isSound) return connection.close();
        connection.exec('COMMIT');
        idle.push(connection);
      });
      const first = chunks.next().value;
      if (!first) return undefined;
      const { count, ...found } = first;
      if (count > sql.chunk) return { ...found, rest: chunks.map(({ rows }) => rows) };
      chunks.return(undefined);
      return found;
    },
    /** Closes the connections that no list has. */
    close: (): void => {
      for (const connection of idle.splice(0)) connection.close();
    },
  };
};
