import type { Window } from '../../gateway/model/query.ts';
import type { Found, Row } from '../../gateway/port/port.ts';
import { chunksOf } from '../../util/chunks-of.ts';
import type { ListSql } from '../sql/lists.ts';
import type { Statement } from '../sql/statement.ts';
import { type Connection, connect } from './connection.ts';
import { openList } from './reads.ts';

/** A list that was read on the calling thread. */
export interface SyncList extends Omit<Found, 'rest'> {
  readonly rest?: Iterator<readonly Row[], undefined> | undefined;
}

function* iterateRows(connection: Connection, statements: readonly Statement[]): Generator<Row> {
  for (const each of statements) yield* connection.iterate<Row>(each);
}

/**
 * Yields the chunks of a list, each with what is known of the whole; none if its parent is missing.
 *
 * @param onEnd is called at the end, also if it fails or is returned early
 */
function* iterateChunks(connection: Connection, sql: ListSql, window: Window, onEnd: (isSound: boolean) => void) {
  let isSound = true;
  try {
    connection.exec('BEGIN');
    const list = openList(connection, sql, window);
    if (!list) return;
    const { statements, ...whole } = list;
    if (whole.count === 0) yield { ...whole, rows: [] };
    for (const rows of chunksOf(iterateRows(connection, statements), sql.chunk)) yield { ...whole, rows };
  } catch (error) {
    isSound = false;
    throw error;
  } finally {
    onEnd(isSound);
  }
}

/** Connections that read, each with one snapshot at a time. */
export class SnapshotReader {
  readonly #location: string;
  readonly #idle: Connection[] = [];

  constructor(location: string) {
    this.#location = location;
  }

  /** @returns a list, whose snapshot stays open until its rest was read, or returned */
  read(sql: ListSql, window: Window): SyncList | undefined {
    const connection = this.#idle.pop() ?? connect(this.#location, { readOnly: true });
    const chunks = iterateChunks(connection, sql, window, (isSound) => {
      // A statement that failed halfway would fail again.
      if (!isSound) return connection.close();
      connection.exec('COMMIT');
      this.#idle.push(connection);
    });
    const first = chunks.next().value;
    if (!first) return undefined;
    const { count, ...list } = first;
    if (count > sql.chunk) return { ...list, rest: chunks.map(({ rows }) => rows) };
    chunks.return(undefined);
    return list;
  }

  /** Closes the connections that no list has. */
  close(): void {
    for (const connection of this.#idle.splice(0)) connection.close();
  }
}
