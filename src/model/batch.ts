/** Values that are handled together: what is done for many at once takes a fraction of the CPU. */
export interface Batch<T> {
  readonly add: (value: T) => void;
  /** Handles the values that wait. */
  readonly flush: () => void;
}

/** The most values that are handled together, and the most milliseconds that one waits. */
const TOGETHER = 64;
const WAIT = 50;

export const batchOf = <T>(handle: (values: readonly T[]) => void): Batch<T> => {
  let waiting: T[] = [];
  let isTimed = false;
  const flush = (): void => {
    const values = waiting;
    waiting = [];
    if (values.length > 0) handle(values);
  };
  const flushLate = (): void => {
    isTimed = false;
    flush();
  };
  return {
    add: (value) => {
      waiting.push(value);
      if (waiting.length === TOGETHER) flush();
      if (isTimed || waiting.length === 0) return;
      isTimed = true;
      setTimeout(flushLate, WAIT).unref();
    },
    flush,
  };
};
