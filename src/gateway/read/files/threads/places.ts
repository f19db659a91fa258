/** Milliseconds that a client may let a thread wait before somebody else has its place. */
const PATIENCE = 1_000;

/** A place among those who may work at one time. */
export interface Place {
  /** Resolves once it is there. Rejects where the work is given up. */
  readonly take: () => Promise<void>;
  /** Waits for something, and lets somebody else have the place meanwhile if it takes long. */
  readonly lentWhile: <T>(coming: T | Promise<T>) => Promise<T>;
  /** Gives it back; the work is over. */
  readonly leave: () => void;
}

/** @returns makes places for some work, of which so many are there at one time; who comes first has one first */
export const placesOf = (count: number) => {
  const waiting: PromiseWithResolvers<void>[] = [];
  let free = count;
  const giveBack = (): void => {
    const next = waiting.shift();
    if (next) next.resolve();
    else free++;
  };
  const taken = async (signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    if (free > 0) {
      free--;
      return;
    }
    const turn = Promise.withResolvers<void>();
    waiting.push(turn);
    const giveUp = (): void => {
      const at = waiting.indexOf(turn);
      if (at === -1) return;
      waiting.splice(at, 1);
      turn.reject(signal?.reason);
    };
    signal?.addEventListener('abort', giveUp);
    await turn.promise.finally(() => signal?.removeEventListener('abort', giveUp));
  };

  return (signal: AbortSignal | undefined): Place => {
    let isHeld = false;
    let isOver = false;
    const take = async (): Promise<void> => {
      await taken(signal);
      if (isOver) giveBack();
      else isHeld = true;
    };
    const lend = (): void => {
      if (isHeld) giveBack();
      isHeld = false;
    };
    return {
      take,
      lentWhile: async (coming) => {
        const isLate = setTimeout(lend, PATIENCE);
        const came = await Promise.resolve(coming).finally(() => clearTimeout(isLate));
        if (!isHeld) await take();
        return came;
      },
      leave: () => {
        isOver = true;
        lend();
      },
    };
  };
};
