/** Milliseconds of work on lists in one turn of the event loop; whatever else waits is done between two turns. */
const BUDGET = 5;
/**
 * The most iterations of the event loop between two turns. Others run until an iteration finds nothing to do, because each
 * iteration accepts one connection only (libuv).
 */
const ROUNDS = 16;
/** Milliseconds that an iteration takes in which there is nothing to do. */
const NOTHING = 0.05;

/**
 * Shares the event loop between lists and everything else: work waits in line, and each turn does no more of it than fits.
 *
 * @param now milliseconds of a clock
 * @returns what does work in a later turn, in order; its result is the work's
 */
export const turnQueue = (now: () => number): (<T>(work: () => T) => Promise<Awaited<T>>) => {
  const waiting: (() => void)[] = [];
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(turn);
  };
  const letOthersRun = (rounds: number): void => {
    const begin = now();
    setImmediate(() => (rounds > 1 && now() - begin > NOTHING ? letOthersRun(rounds - 1) : turn()));
  };
  const turn = (): void => {
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

/** Of all lists of this process, which share one event loop. */
export const inTurn = turnQueue(() => performance.now());
