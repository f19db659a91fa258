import type { Caller, Chunks, ReadResult } from '../gateway/port/port.ts';
import { unavailable } from '../gateway/port/unavailable.ts';
import { ConcurrencyLimiter, type ConcurrencyLimits } from '../util/concurrency-limiter.ts';

export const END = { done: true, value: undefined } as const;

export class WatchedChunks {
  readonly #chunks: Chunks;
  readonly #onEnd: () => void;
  #isOver = false;

  constructor(chunks: Chunks, onEnd: () => void) {
    this.#chunks = chunks;
    this.#onEnd = onEnd;
  }

  async next(): ReturnType<Chunks['next']> {
    try {
      const chunk = await this.#chunks.next();
      if (chunk.done) this.#end();
      return chunk;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async return(): Promise<typeof END> {
    try {
      await this.#chunks.return?.();
    } finally {
      this.#end();
    }
    return END;
  }

  #end(): void {
    if (!this.#isOver) this.#onEnd();
    this.#isOver = true;
  }
}

const LIST_TIMEOUT = 900_000;

/** The long lists that are being read. The snapshot of each keeps the database from reclaiming space. */
export class ListStreams {
  readonly #limiter: ConcurrencyLimiter;
  readonly #timeout: number;
  readonly #ends = new Set<(reason: string) => void>();

  constructor(limits: ConcurrencyLimits, share: number, timeout = LIST_TIMEOUT) {
    this.#limiter = new ConcurrencyLimiter(limits, share);
    this.#timeout = timeout;
  }

  async read(open: () => Promise<ReadResult | undefined>, caller?: Caller): Promise<ReadResult | undefined> {
    const release = await this.#limiter.acquire(caller);
    try {
      const list = await open();
      if (list?.rest) return { ...list, rest: this.#limit(list.rest, release) };
      release();
      return list;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Ends all of them: reading their next chunk throws `Unavailable`. @returns their number */
  endAll(reason: string): number {
    const ends = [...this.#ends];
    for (const end of ends) end(reason);
    return ends.length;
  }

  #limit(chunks: Chunks, release: () => void): Chunks {
    let reason: string | undefined;
    const watched = new WatchedChunks(chunks, () => {
      clearTimeout(timer);
      this.#ends.delete(end);
      release();
    });
    const end = (why: string): Promise<typeof END> => {
      reason ??= why;
      return watched.return();
    };
    const timer = setTimeout(end, this.#timeout, 'the list took too long (LIST_TIMEOUT)').unref();
    this.#ends.add(end);
    return {
      next: async () => {
        const chunk = await watched.next().catch((error: unknown) => {
          throw reason === undefined ? error : unavailable(new Error(reason));
        });
        // The rows read so far must not be taken for the whole list.
        if (reason !== undefined) throw unavailable(new Error(reason));
        return chunk;
      },
      return: () => end('the list was ended'),
    };
  }
}
