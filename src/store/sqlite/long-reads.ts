/** Lists that take longer than one turn of the event loop are read by threads, each from a snapshot of its own. */
import type { Caller, Chunks, ReadResult } from '../../gateway/port/port.ts';
import { refuseAs } from '../../gateway/port/unavailable.ts';
import { ConcurrencyLimiter, type ConcurrencyLimits } from '../../util/concurrency-limiter.ts';
import { END, ListStreams } from '../streams.ts';
import type { ReaderServices } from './reader-worker.ts';
import type { ListRead } from './reads.ts';
import { Thread } from './thread.ts';

/** Long lists at a time: an open snapshot keeps the write-ahead log from shrinking. */
const LISTS: ConcurrencyLimits = { limit: 32, refuse: refuseAs('lists') };
const THREAD: ConcurrencyLimits = { limit: 1, queue: 127, timeout: 5_000, refuse: refuseAs('reads') };

export class ReaderThread {
  readonly #thread: Thread<ReaderServices>;
  readonly #limiter: ConcurrencyLimiter;
  #lastId = 0;

  constructor(location: string, share = 1) {
    this.#thread = new Thread(new URL('./reader-worker.ts', import.meta.url), { workerData: location });
    this.#limiter = new ConcurrencyLimiter(THREAD, share);
  }

  read({ sql, window }: Pick<ListRead, 'sql' | 'window'>, caller?: Caller): Promise<ReadResult | undefined> {
    return this.#limiter.run(async () => {
      const id = ++this.#lastId;
      const answer = await this.#thread.ask('list', [id, sql, window]);
      return answer && { ...answer.list, rest: answer.hasRest ? this.#readRest(id) : undefined };
    }, caller);
  }

  close(): Promise<void> {
    return this.#thread.terminate();
  }

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

export class LongReads {
  readonly #streams: ListStreams;
  /** Two threads, so that no page waits for a whole list. */
  readonly #pages: ReaderThread;
  readonly #lists: ReaderThread;

  constructor(location: string, share: number, timeout: number | undefined) {
    this.#streams = new ListStreams(LISTS, share, timeout);
    this.#pages = new ReaderThread(location, share);
    this.#lists = new ReaderThread(location, share);
  }

  read(list: ListRead, caller?: Caller): Promise<ReadResult | undefined> {
    if (list.shape === 'page') return this.#pages.read(list, caller);
    return this.#streams.read(() => this.#lists.read(list, caller), caller);
  }

  endAll(reason: string): number {
    return this.#streams.endAll(reason);
  }

  async close(): Promise<void> {
    this.endAll('the database is closed');
    await Promise.all([this.#pages.close(), this.#lists.close()]);
  }
}
