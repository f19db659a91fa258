import type { Listing } from './port.ts';

/** @returns the same list, which calls `onEnd` when its chunks end, fail or are returned; it may do so more than once */
export const onListEnd = (listing: Listing, onEnd: () => void): Listing => {
  const { chunks } = listing;
  return {
    ...listing,
    chunks: {
      next: async () => {
        try {
          const result = await chunks.next();
          if (result.done) onEnd();
          return result;
        } catch (error) {
          onEnd();
          throw error;
        }
      },
      return: async () => {
        try {
          await chunks.return?.();
        } finally {
          onEnd();
        }
        return { done: true, value: undefined };
      },
    },
  };
};
