import type { Window } from '../../gateway/model/query.ts';
import type { Caller, Chunks, Found, Row } from '../../gateway/port/port.ts';
import { refuseAs } from '../../gateway/port/unavailable.ts';
import { chunksOf } from '../../util/chunks-of.ts';
import { ConcurrencyLimiter, type ConcurrencyLimits } from '../../util/concurrency-limiter.ts';
import type { ListSql } from '../sql/list-sql.ts';
import { streamsOf } from '../streams.ts';
import { type Connection, connect, inSnapshot } from './connection.ts';
import type { ReaderServices } from './reader-worker.ts';
import { type ListRead, type LongReads, resolve, type SyncFound, snapshots } from './reads.ts';
import { threadOf } from './thread.ts';

/** Reads what one turn of the event loop has no time for. */

/** Long lists at a time: an open snapshot keeps the write-ahead log from shrinking. */
const LISTS: ConcurrencyLimits = { limit: 32, refuse: refuseAs('lists') };
/** The thread for pages, and the one for whole lists, read one list after the other. */
export const THREAD: ConcurrencyLimits = { limit: 1, queue: 127, timeout: 5_000, refuse: refuseAs('reads') };

export interface LongReadsOptions {
  /** The part of all places that one client may have. */
  readonly share: number;
  /** Milliseconds that one long list may take. */
  readonly timeout: number | undefined;
}

const CLOSED = 'the database is closed';

const later = (chunks: Iterator<readonly Row[], undefined>): Chunks => ({
  next: async () => chunks.next(),
  return: async () => chunks.return?.() ?? { done: true, value: undefined },
});

const asFound = (found: SyncFound | undefined): Found | undefined =>
  found && { ...found, rest: found.rest && later(found.rest) };

/**
 * A thread with its own connections. It reads lists whose plans read many rows, one after the other, and starts with the first
 * of them.
 *
 * @param location the database's file
 * @param limiter lets one read run at a time
 */
export const readerThread = (location: string, limiter: ConcurrencyLimiter) => {
  const thread = threadOf<ReaderServices>(new URL('./reader-worker.ts', import.meta.url), {
    workerData: location,
  });
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
    /** Reads a list when the limiter lets it run. */
    read: (sql: ListSql, window: Window, caller?: Caller): Promise<Found | undefined> =>
      limiter.run(async () => {
        const id = ++lastId;
        const found = await thread.ask('list', [id, sql, window]);
        return found && { ...found.first, rest: found.hasRest ? rest(id) : undefined };
      }, caller),
    /** Resolves once the thread has ended, which it does after the statement that it runs. */
    close: thread.terminate,
  };
};

/** @param location the database's file */
export const readsOfFile = (location: string, { share, timeout }: LongReadsOptions): LongReads => {
  const streams = streamsOf(new ConcurrencyLimiter(LISTS, share), timeout);
  const onLoop = snapshots(() => connect(location, { readOnly: true }));
  // Two, so that no page waits for a whole list.
  const pages = readerThread(location, new ConcurrencyLimiter(THREAD, share));
  const wholeLists = readerThread(location, new ConcurrencyLimiter(THREAD, share));

  return {
    inChunks: ({ sql, window }, caller) => streams.read(async () => asFound(onLoop.read(sql, window)), caller),
    onThread: ({ sql, shape, window }, caller) =>
      shape === 'page'
        ? pages.read(sql, window, caller)
        : streams.read(() => wholeLists.read(sql, window, caller), caller),
    endAll: streams.endAll,
    close: async () => {
      streams.endAll(CLOSED);
      onLoop.close();
      await Promise.all([pages.close(), wholeLists.close()]);
    },
  };
};

/** @param main the only connection; a list is read whole, and sent in chunks */
export const readsOfMemory = (main: Connection, { share, timeout }: LongReadsOptions): LongReads => {
  const streams = streamsOf(new ConcurrencyLimiter(LISTS, share), timeout);
  const readAll = ({ sql, window }: ListRead): SyncFound | undefined =>
    inSnapshot(main, () => {
      const found = resolve(main, sql, window);
      if (!found) return undefined;
      const { total, change, next, statements } = found;
      const all = statements.flatMap((each) => main.rows<Row>(each));
      const rest = chunksOf(all.slice(sql.chunk), sql.chunk);
      return { total, change, rows: all.slice(0, sql.chunk), next, rest };
    });
  return {
    inChunks: (list, caller) => streams.read(async () => asFound(readAll(list)), caller),
    endAll: streams.endAll,
    close: async () => void streams.endAll(CLOSED),
  };
};
