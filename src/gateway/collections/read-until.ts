import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { Streams } from './streams.ts';

/**
 * Reads, and again after each change.
 *
 * @param isEnough whether what was read is what is waited for
 * @returns what was read last: when there was enough, the time was over, nobody waited any more or the service ended
 */
export const readUntil = async <T>(
  streams: Streams,
  seconds: number,
  waits: AbortSignal,
  read: () => MaybePromise<T>,
  isEnough: (found: T) => boolean,
): Promise<T> => {
  const deadline = performance.now() + seconds * 1_000;
  const answered = new AbortController();
  const signal = AbortSignal.any([answered.signal, waits]);
  try {
    for (;;) {
      const left = deadline - performance.now();
      // Before it is read: nothing is missed.
      const changed = streams.changed(Math.max(0, left), signal);
      const found = await read();
      if (left <= 0 || signal.aborted || streams.isEnded() || isEnough(found)) return found;
      await changed;
    }
  } finally {
    answered.abort();
  }
};
