import type { Caller, Chunks, Found } from '../gateway/port/port.ts';
import { unavailable } from '../gateway/port/unavailable.ts';
import type { ConcurrencyLimiter } from '../util/concurrency-limiter.ts';

/** The long lists that are being read. The snapshot of each keeps the database from reclaiming space. */
export type Streams = ReturnType<typeof streamsOf>;

/** @returns the same chunks, which call `onEnd` once: when they end, fail or are returned */
export const withEnd = (chunks: Chunks, onEnd: () => void): Pick<Required<Chunks>, 'next' | 'return'> => {
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
};

/** By default, in milliseconds. */
const LIST_TIMEOUT = 900_000;

/** @param timeout milliseconds that one list may take */
export const streamsOf = (limiter: ConcurrencyLimiter, timeout = LIST_TIMEOUT) => {
  const ends = new Set<(why: string) => void>();

  const limited = (chunks: Chunks, free: () => void): Chunks => {
    let reason: string | undefined;
    const end = (why: string): ReturnType<typeof watched.return> => {
      reason ??= why;
      return watched.return();
    };
    const late = setTimeout(end, timeout, 'the list took too long (LIST_TIMEOUT)').unref();
    ends.add(end);
    const watched = withEnd(chunks, () => {
      clearTimeout(late);
      ends.delete(end);
      free();
    });
    return {
      next: async () => {
        try {
          const chunk = await watched.next();
          // The rows read so far must not be taken for the whole list.
          if (reason !== undefined) throw new Error(reason);
          return chunk;
        } catch (error) {
          throw reason === undefined ? error : unavailable(new Error(reason));
        }
      },
      return: () => end('the list was ended'),
    };
  };
  return {
    /**
     * Reads a list in a place of its own, which it has until its last chunk is read, or returned.
     *
     * @param open reads the first chunk
     */
    read: async (open: () => Promise<Found | undefined>, caller?: Caller): Promise<Found | undefined> => {
      const free = await limiter.acquire(caller);
      try {
        const found = await open();
        if (found?.rest) return { ...found, rest: limited(found.rest, free) };
        free();
        return found;
      } catch (error) {
        free();
        throw error;
      }
    },
    /** Ends all of them: reading their next chunk throws `Unavailable`. @returns their number */
    endAll: (why: string): number => {
      const count = ends.size;
      for (const end of [...ends]) end(why);
      return count;
    },
  };
};
