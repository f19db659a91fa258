import type { MaybePromise } from '../util/maybe-promise.ts';

/**
 * Tells listeners that something has changed: at once by who has changed it in this process, and by a look now and then of what
 * others have.
 *
 * @param version differs after a change
 * @param every milliseconds between two looks, while anybody listens
 */
export const watchOf = (version: () => MaybePromise<unknown>, every: number) => {
  const listeners = new Set<() => void>();
  let seen: unknown;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  const tell = (): void => {
    for (const each of listeners) each();
  };
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const now = await version();
      if (now !== seen) tell();
      seen = now;
    } catch {
      // The next look finds it.
    }
    isLooking = false;
  };
  return {
    tell,
    watch: (listener: () => void): (() => void) => {
      listeners.add(listener);
      timer ??= setInterval(() => void look(), every).unref();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
};
