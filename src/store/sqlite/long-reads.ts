/** Lists that take longer than one turn of the event loop, each read from a snapshot of its own, while writes go on. */
import type { Caller, Chunks, Found, Row } from '../../gateway/port/port.ts';
import { refuseAs } from '../../gateway/port/unavailable.ts';
import { chunksOf } from '../../util/chunks-of.ts';
import { ConcurrencyLimiter, type ConcurrencyLimits } from '../../util/concurrency-limiter.ts';
import { ListStreams } from '../streams.ts';
import type { Connection } from './connection.ts';
import type { ReaderServices } from './reader-worker.ts';
import { type ListRead, type LongReads, openList } from './reads.ts';
import { SnapshotReader, type SyncList } from './snapshots.ts';
import { Thread } from './thread.ts';

/** Long lists at a time: an open snapshot keeps the write-ahead log from shrinking. */
const LISTS: ConcurrencyLimits = { limit: 32, refuse: refuseAs('lists') };
/** A thread reads one list after the other. */
const THREAD: ConcurrencyLimits = { limit: 1, queue: 127, timeout: 5_000, refuse: refuseAs('reads') };

/** The end of an iterator. */
const END = { done: true, value: undefined } as const;
const CLOSED = 'the database is closed';

/** A thread that reads lists whose plans scan many rows, with connections of its own. */
export class ReaderThread {
  readonly #thread: Thread<ReaderServices>;
  readonly #limiter: ConcurrencyLimiter;
  #lastId = 0;

  constructor(location: string, share = 1) {
    this.#thread = new Thread(new URL('./reader-worker.ts', import.meta.url), { workerData: location });
    this.#limiter = new ConcurrencyLimiter(THREAD, share);
  }

  read({ sql, window }: Pick<ListRead, 'sql' | 'window'>, caller?: Caller): Promise<Found | undefined> {
    return this.#limiter.run(async () => {
      const id = ++this.#lastId;
      const list = await this.#thread.ask('list', [id, sql, window]);
      return list && { ...list.first, rest: list.hasRest ? this.#readRest(id) : undefined };
    }, caller);
  }

  close(): Promise<void> {
    return this.#thread.terminate();
  }

  /** @returns the chunks of a list after its first one */
  #readRest(id: number): Chunks {
    return {
      next: async () => {
        const rows = await this.#thread.ask('next', [id]);
        return rows ? { done: false, value: rows } : END;
      },
      return: async () => {
        this.#thread.ask('end', [id]).catch(() => {});
        return END;
      },
    };
  }
}

function withAsyncRest(list: SyncList | undefined): Found | undefined {
  const rest = list?.rest;
  return (
    list && { ...list, rest: rest && { next: async () => rest.next(), return: async () => rest.return?.() ?? END } }
  );
}

export interface LongReadsOptions {
  /** The part of all long lists, and of all that waits, that one client may have. */
  readonly share: number;
  /** Milliseconds that one long list may take. */
  readonly timeout: number | undefined;
}

/** @param location is the database's file */
export function readFile(location: string, { share, timeout }: LongReadsOptions): LongReads {
  const streams = new ListStreams(LISTS, share, timeout);
  const onLoop = new SnapshotReader(location);
  // Two, so that no page waits for a whole list.
  const pages = new ReaderThread(location, share);
  const wholeLists = new ReaderThread(location, share);
  return {
    inChunks: ({ sql, window }, caller) => streams.read(async () => withAsyncRest(onLoop.read(sql, window)), caller),
    onThread: (list, caller) =>
      list.shape === 'page' ? pages.read(list, caller) : streams.read(() => wholeLists.read(list, caller), caller),
    endAll: (reason) => streams.endAll(reason),
    close: async () => {
      streams.endAll(CLOSED);
      onLoop.close();
      await Promise.all([pages.close(), wholeLists.close()]);
    },
  };
}

/** @param main is the only connection; a list is read whole, and sent in chunks */
export function readMemory(main: Connection, { share, timeout }: LongReadsOptions): LongReads {
  const streams = new ListStreams(LISTS, share, timeout);
  const readAll = ({ sql, window }: ListRead): SyncList | undefined =>
    main.inSnapshot(() => {
      const list = openList(main, sql, window);
      if (!list) return undefined;
      const { total, change, next, statements } = list;
      const all = statements.flatMap((each) => main.rows<Row>(each));
      const rest = chunksOf(all.slice(sql.chunk), sql.chunk);
      return { total, change, rows: all.slice(0, sql.chunk), next, rest };
    });
  return {
    inChunks: (list, caller) => streams.read(async () => withAsyncRest(readAll(list)), caller),
    endAll: (reason) => streams.endAll(reason),
    close: async () => void streams.endAll(CLOSED),
  };
}
