import type { Listing, Row } from './port.ts';
import { unavailable } from './unavailable.ts';

/** The long lists that are being read. The snapshot of each keeps the database from reclaiming space. */
export interface OpenLists {
  /** @returns the same list, which fails after `timeout`, or when all lists are ended */
  readonly add: (listing: Listing) => Listing;
  /** Ends all of them: reading their next chunk throws `Unavailable`. @returns their number */
  readonly endAll: (why: string) => number;
}

const LIST_TIMEOUT = 900_000;

/** @param timeout milliseconds that one list may take */
export const openLists = (timeout = LIST_TIMEOUT): OpenLists => {
  const ends = new Set<(why: string) => void>();

  const add = (listing: Listing): Listing => {
    const { chunks } = listing;
    let reason: string | undefined;
    const forget = (): void => {
      clearTimeout(late);
      ends.delete(end);
    };
    const end = (why: string): void => {
      reason = why;
      forget();
      void chunks.return?.();
    };
    const late = setTimeout(end, timeout, 'the list took too long (LIST_TIMEOUT)').unref();
    ends.add(end);

    const next = async (): ReturnType<AsyncIterator<readonly Row[]>['next']> => {
      try {
        const chunk = await chunks.next();
        // The rows read so far must not be taken for the whole list.
        if (reason !== undefined) throw unavailable(new Error(reason));
        if (chunk.done) forget();
        return chunk;
      } catch (error) {
        forget();
        throw reason === undefined ? error : unavailable(new Error(reason));
      }
    };
    return {
      ...listing,
      chunks: {
        next,
        return: async () => {
          forget();
          await chunks.return?.();
          return { done: true, value: undefined };
        },
      },
    };
  };

  return {
    add,
    endAll: (why) => {
      const count = ends.size;
      for (const end of [...ends]) end(why);
      return count;
    },
  };
};
