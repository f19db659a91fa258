import type { Window } from '../../../gateway/model/query.ts';
import type { Caller, Chunks, Found } from '../../../gateway/port/port.ts';
import type { Gate } from '../../gate.ts';
import type { ListSql } from '../../sql/lists/list-sql.ts';
import { threadOf } from '../../threads/thread.ts';
import type { ReaderServices } from './reader-worker.ts';

/**
 * A thread with its own connections. It reads lists whose plans read many rows, one after the other, and starts with the first
 * of them at the latest.
 *
 * @param location the database's file
 * @param gate lets one read pass at a time
 */
export const readerThread = (location: string, gate: Gate) => {
  const thread = threadOf<ReaderServices>(new URL('./reader-worker.ts', import.meta.url), { workerData: location });
  let lastId = 0;

  /** The chunks of a list after its first one. */
  const rest = (id: number): Chunks => ({
    next: async () => {
      const rows = await thread.ask('next', [id]);
      return rows ? { done: false, value: rows } : { done: true, value: undefined };
    },
    return: async () => {
      thread.ask('end', [id]).catch(() => {});
      return { done: true, value: undefined };
    },
  });

  return {
    /** Reads a list once the gate lets it pass. */
    read: (sql: ListSql, window: Window, caller?: Caller): Promise<Found | undefined> =>
      gate.run(async () => {
        const id = ++lastId;
        const found = await thread.ask('list', [id, sql, window]);
        return found && { ...found.first, rest: found.hasRest ? rest(id) : undefined };
      }, caller),
    /** Starts the thread before it is needed. */
    warm: thread.start,
    /** Resolves once the thread has ended, which it does after the statement that it runs. */
    close: thread.terminate,
  };
};
