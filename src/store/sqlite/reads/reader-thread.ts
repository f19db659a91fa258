import type { Window } from '../../../gateway/model/query.ts';
import type { Caller, Chunks, Found, Row } from '../../../gateway/port/port.ts';
import { unavailable } from '../../../gateway/port/unavailable.ts';
import type { Gate } from '../../gate.ts';
import type { ListSql } from '../../sql/lists/list-sql.ts';
import { threadOf } from '../../threads/thread.ts';

/** A list stays open until its last chunk was read, or until `end`. */
export type ReaderRequest =
  | { readonly id: number; readonly kind: 'list'; readonly sql: ListSql; readonly window: Window }
  | { readonly id: number; readonly kind: 'next' | 'end' };

/** The first chunk of a list, and whether there are more. */
export interface FirstChunk extends Omit<Found, 'rest'> {
  readonly hasRest: boolean;
}

/**
 * A thread with its own connections. It reads lists whose plans read many rows, one after the other, and starts with the first
 * of them at the latest.
 *
 * @param location the database's file
 * @param gate lets one read pass at a time
 */
export const readerThread = (location: string, gate: Gate) => {
  const thread = threadOf<ReaderRequest>(new URL('./reader-worker.ts', import.meta.url), { workerData: location });
  let isClosed = false;
  let lastId = 0;

  const ask = async <R>(question: ReaderRequest): Promise<R> => {
    if (isClosed) throw unavailable(new Error('the database is closed'));
    return thread.ask<R>(question);
  };
  /** The chunks of a list after its first one. */
  const rest = (id: number): Chunks => ({
    next: async () => {
      const rows = await ask<readonly Row[] | undefined>({ id, kind: 'next' });
      return rows ? { done: false, value: rows } : { done: true, value: undefined };
    },
    return: async () => {
      ask({ id, kind: 'end' }).catch(() => {});
      return { done: true, value: undefined };
    },
  });

  return {
    /** Reads a list once the gate lets it pass. */
    read: (sql: ListSql, window: Window, caller?: Caller): Promise<Found | undefined> =>
      gate.run(async () => {
        const id = ++lastId;
        const found = await ask<FirstChunk | undefined>({ id, kind: 'list', sql, window });
        if (!found) return undefined;
        const { hasRest, ...first } = found;
        return hasRest ? { ...first, rest: rest(id) } : first;
      }, caller),
    /** Starts the thread before it is needed. */
    warm: (): void => {
      if (!isClosed) thread.start();
    },
    /** Resolves once the thread has ended, which it does after the statement that it runs. */
    close: async (): Promise<void> => {
      isClosed = true;
      await thread.terminate();
    },
  };
};
