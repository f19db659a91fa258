/** Milliseconds of a slice of work on lists; everything else runs between two slices. */
const BUDGET = 5;
/**
 * The most turns of the event loop between two slices. They go on until one is idle, because each turn accepts only one
 * connection (libuv).
 */
const ROUNDS = 16;
/** Milliseconds of an idle turn. */
const IDLE = 0.05;

/**
 * Shares the event loop between lists and everything else: work is queued, and each slice does as much of it as fits.
 *
 * @param now milliseconds of a clock
 * @returns a function that runs work in a later slice, in order, and returns its result
 */
export const scheduler = (now: () => number): (<T>(work: () => T) => Promise<Awaited<T>>) => {
  const waiting: (() => void)[] = [];
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(runSlice);
  };
  const letOthersRun = (rounds: number): void => {
    const begin = now();
    setImmediate(() => (rounds > 1 && now() - begin > IDLE ? letOthersRun(rounds - 1) : runSlice()));
  };
  const runSlice = (): void => {
    const end = now() + BUDGET;
    do waiting.shift()?.();
    while (waiting.length > 0 && now() < end);
    isScheduled = waiting.length > 0;
    if (isScheduled) letOthersRun(ROUNDS);
  };
  return <T>(work: () => T) =>
    new Promise<Awaited<T>>((resolve, reject) => {
      const begin = (): void => {
        try {
          resolve(work() as Awaited<T>);
        } catch (error) {
          reject(error);
        }
      };
      waiting.push(begin);
      schedule();
    });
};

/** One queue for all lists of the process, which share the event loop. */
export const scheduled = scheduler(() => performance.now());
