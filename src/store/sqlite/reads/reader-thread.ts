import type { Window } from '../../../gateway/model/query.ts';
import type { Caller, Chunks, Found, Row } from '../../../gateway/port/port.ts';
import { abandoned, unavailable } from '../../../gateway/port/unavailable.ts';
import type { Gate } from '../../gate.ts';
import type { ListSql } from '../../sql/lists/list-sql.ts';
import { threadOf } from '../../threads/thread.ts';
import { cancelledBuffer, cancelledIn } from '../connection/interrupt.ts';

/** A list stays open until its last chunk was read, or until `end`. */
export type ReaderRequest =
  | { readonly id: number; readonly kind: 'list'; readonly sql: ListSql; readonly window: Window }
  | { readonly id: number; readonly kind: 'next' | 'end' };

/** The first chunk of a list, and whether there are more. */
export interface FirstChunk extends Omit<Found, 'rest'> {
  readonly hasRest: boolean;
}

/** The worker data of the thread. */
export interface ReaderData {
  /** The database's file. */
  readonly location: string;
  /** See `cancelledIn`. */
  readonly cancelled: SharedArrayBuffer;
}

/**
 * A thread with its own connections. It reads lists whose plans read many rows, one after the other, and starts with the first
 * of them at the latest.
 *
 * @param location the database's file
 * @param gate lets one read pass at a time
 */
export const readerThread = (location: string, gate: Gate) => {
  const buffer = cancelledBuffer();
  const cancelled = cancelledIn(buffer);
  const workerData: ReaderData = { location, cancelled: buffer };
  const thread = threadOf<ReaderRequest>(new URL('./reader-worker.ts', import.meta.url), { workerData });
  const asked = new Set<number>();
  let isClosed = false;
  let lastId = 0;

  const ask = async <R>(question: ReaderRequest): Promise<R> => {
    const { id } = question;
    if (isClosed) throw unavailable(new Error('the database is closed'));
    asked.add(id);
    try {
      return await thread.ask<R>(question);
    } catch (error) {
      throw cancelled.has(id) ? abandoned() : error;
    } finally {
      asked.delete(id);
    }
  };
  /** The chunks of a list after its first one. */
  const rest = (id: number): Chunks => ({
    next: async () => {
      const rows = await ask<readonly Row[] | undefined>({ id, kind: 'next' });
      return rows ? { done: false, value: rows } : { done: true, value: undefined };
    },
    return: async () => {
      cancelled.add(id);
      ask({ id, kind: 'end' }).catch(() => {});
      return { done: true, value: undefined };
    },
  });

  return {
    /** Reads a list once the gate lets it pass. A client that disconnects cancels its read. */
    read: (sql: ListSql, window: Window, caller?: Caller): Promise<Found | undefined> =>
      gate.run(async () => {
        const id = ++lastId;
        const cancel = (): void => cancelled.add(id);
        caller?.signal.addEventListener('abort', cancel);
        try {
          const found = await ask<FirstChunk | undefined>({ id, kind: 'list', sql, window });
          if (!found) return undefined;
          const { hasRest, ...first } = found;
          return hasRest ? { ...first, rest: rest(id) } : first;
        } finally {
          caller?.signal.removeEventListener('abort', cancel);
        }
      }, caller),
    /** Starts the thread before it is needed. */
    warm: (): void => {
      if (!isClosed) thread.start();
    },
    /** Ends the reads in progress. Resolves once the thread has ended. */
    close: async (): Promise<void> => {
      isClosed = true;
      // A thread cannot end while its statement runs.
      for (const id of asked) cancelled.add(id);
      await thread.terminate();
    },
  };
};
