/** Wakes those who wait for a change. */
import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { Items } from '../port/port.ts';

/** Milliseconds between two wakings, which are gathered meanwhile: a thousand commits a second need no thousand reads. */
const GATHER = 10;

export class Waking {
  /** Whether the service ends, so that nobody waits any more. */
  isEnded = false;
  readonly #watch: Items['watch'];
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #wokenAt = Number.NEGATIVE_INFINITY;
  #stopWatching: (() => void) | undefined;

  /** @param watch of the store, which is watched while anybody listens */
  constructor(watch: Items['watch']) {
    this.#watch = watch;
  }

  /** Calls a listener after each change. @returns a function that removes the listener */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#stopWatching ??= this.#watch(() => this.#gather());
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stopWatching?.();
      this.#stopWatching = undefined;
    };
  }

  /** Wakes all for the last time. */
  end(): void {
    this.isEnded = true;
    clearTimeout(this.#timer);
    this.#wakeAll();
  }

  #gather(): void {
    this.#timer ??= setTimeout(() => this.#wakeAll(), Math.max(0, this.#wokenAt + GATHER - performance.now()));
  }

  #wakeAll(): void {
    this.#timer = undefined;
    this.#wokenAt = performance.now();
    for (const listener of this.#listeners) listener();
  }
}

/**
 * Reads, and again after each change.
 *
 * @param isEnough whether what was read is what is waited for
 * @returns what was read last: when there was enough, the time was over, nobody waited any more or the service ended
 */
export async function readUntil<T>(
  waking: Waking,
  seconds: number,
  signal: AbortSignal,
  read: () => MaybePromise<T>,
  isEnough: (result: T) => boolean,
): Promise<T> {
  let isOver = false;
  let wake = (): void => {};
  const wakeNow = (): void => wake();
  const leave = waking.listen(wakeNow);
  const timer = setTimeout(() => {
    isOver = true;
    wake();
  }, seconds * 1_000);
  signal.addEventListener('abort', wakeNow);
  try {
    for (;;) {
      // Prepared before the read, so that no change is missed.
      const { promise: change, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const isLast = isOver;
      const result = await read();
      if (isLast || signal.aborted || waking.isEnded || isEnough(result)) return result;
      await change;
    }
  } finally {
    leave();
    clearTimeout(timer);
    signal.removeEventListener('abort', wakeNow);
  }
}
