/** Wakes those who wait for a change. */
import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { Items } from '../port/port.ts';

/** Milliseconds between two wakings, which are gathered meanwhile: a thousand commits a second need no thousand reads. */
const GATHER = 10;

export type Waking = ReturnType<typeof wakingOf>;

/** @param watch of the store, which is watched while anybody listens */
export const wakingOf = (watch: Items['watch']) => {
  const listeners = new Set<() => void>();
  let isEnded = false;
  let gathering: NodeJS.Timeout | undefined;
  let told = Number.NEGATIVE_INFINITY;
  let stopWatching: (() => void) | undefined;

  const tell = (): void => {
    gathering = undefined;
    told = performance.now();
    for (const each of listeners) each();
  };
  const wake = (): void => {
    gathering ??= setTimeout(tell, Math.max(0, told + GATHER - performance.now()));
  };
  /** @returns ends it */
  const listen = (listener: () => void): (() => void) => {
    listeners.add(listener);
    stopWatching ??= watch(wake);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      stopWatching?.();
      stopWatching = undefined;
    };
  };
  return {
    listen,
    isEnded: (): boolean => isEnded,
    /** Resolves once something was changed, or the time is over, or nobody waits any more. */
    changed: (milliseconds: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const done = (): void => {
          leave();
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const leave = listen(done);
        const timer = setTimeout(done, milliseconds);
        signal.addEventListener('abort', done);
        if (isEnded || signal.aborted) done();
      }),
    /** Wakes all for the last time. */
    end: (): void => {
      isEnded = true;
      clearTimeout(gathering);
      for (const each of listeners) each();
    },
  };
};

/**
 * Reads, and again after each change.
 *
 * @param isEnough whether what was read is what is waited for
 * @returns what was read last: when there was enough, the time was over, nobody waited any more or the service ended
 */
export const readUntil = async <T>(
  { changed, isEnded }: Pick<Waking, 'changed' | 'isEnded'>,
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
      const change = changed(Math.max(0, left), signal);
      const found = await read();
      if (left <= 0 || signal.aborted || isEnded() || isEnough(found)) return found;
      await change;
    }
  } finally {
    answered.abort();
  }
};
