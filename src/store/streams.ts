import type { Caller, Chunks, ReadResult } from '../gateway/port/port.ts';
import { unavailable } from '../gateway/port/unavailable.ts';
import { ConcurrencyLimiter, type ConcurrencyLimits } from '../util/concurrency-limiter.ts';

/** @returns the same chunks, which call `onEnd` once: when they end, fail or are returned */
export function withEnd(chunks: Chunks, onEnd: () => void): Required<Pick<Chunks, 'next' | 'return'>> {
  let isOver = false;
  const end = (): void => {
    if (!isOver) onEnd();
    isOver = true;
  };
  return {
    next: async () => {
      try {
        const chunk = await chunks.next();
        if (chunk.done) end();
        return chunk;
      } catch (error) {
        end();
        throw error;
      }
    },
    return: async () => {
      try {
        await chunks.return?.();
      } finally {
        end();
      }
      return { done: true, value: undefined };
    },
  };
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

  /** Reads a list, which counts until its last chunk is read, or returned. */
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
    const end = (why: string): ReturnType<typeof watched.return> => {
      reason ??= why;
      return watched.return();
    };
    const timer = setTimeout(end, this.#timeout, 'the list took too long (LIST_TIMEOUT)').unref();
    this.#ends.add(end);
    const watched = withEnd(chunks, () => {
      clearTimeout(timer);
      this.#ends.delete(end);
      release();
    });
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
