/** Runs in a reader thread. A list stays open, with its snapshot, until its last chunk was read, or until `end`. */
import { workerData } from 'node:worker_threads';
import type { Window } from '../../gateway/model/query.ts';
import type { Row } from '../../gateway/port/port.ts';
import { unavailable } from '../../gateway/port/unavailable.ts';
import { iterateChunks } from '../../util/iterate-chunks.ts';
import type { ListSql } from '../sql/lists.ts';
import type { Statement } from '../sql/statement.ts';
import { type Connection, connect } from './connection.ts';
import { openList } from './reads.ts';
import { serve } from './thread.ts';

const idle: Connection[] = [];
const openLists = new Map<number, ReturnType<typeof readChunks>>();

function* readRows(connection: Connection, statements: readonly Statement[]): Generator<Row, undefined> {
  for (const statement of statements) yield* connection.iterate<Row>(statement);
}

function* readChunks(sql: ListSql, window: Window) {
  const connection = idle.pop() ?? connect(workerData, { readOnly: true });
  let isSound = true;
  try {
    connection.exec('BEGIN');
    const list = openList(connection, sql, window);
    if (!list) return;
    const { statements, ...summary } = list;
    if (summary.count === 0) yield { ...summary, rows: [] };
    for (const rows of iterateChunks(readRows(connection, statements), sql.chunk)) yield { ...summary, rows };
  } catch (error) {
    // A statement that failed halfway would fail again.
    isSound = false;
    throw error;
  } finally {
    if (isSound) {
      connection.exec('COMMIT');
      idle.push(connection);
    } else connection.close();
  }
}

const services = {
  list: (id: number, sql: ListSql, window: Window) => {
    const chunks = readChunks(sql, window);
    const first = chunks.next().value;
    if (!first) return undefined;
    const { count, ...list } = first;
    const hasRest = count > sql.chunk;
    if (hasRest) openLists.set(id, chunks);
    else chunks.return();
    return { list, hasRest };
  },
  next: (id: number): readonly Row[] | undefined => {
    const chunks = openLists.get(id);
    openLists.delete(id);
    // The thread that had begun it has ended.
    if (!chunks) throw unavailable(new Error('the list was ended'));
    const chunk = chunks.next();
    if (!chunk.done) openLists.set(id, chunks);
    return chunk.value?.rows;
  },
  end: (id: number): void => {
    openLists.get(id)?.return();
    openLists.delete(id);
  },
};
export type ReaderServices = typeof services;

serve(services);
