import { places } from './places.ts';
import type { Caller } from './port.ts';
import { abandoned, Unavailable } from './unavailable.ts';

/** Slow reads wait in line, because each of them keeps a thread or a connection busy. */
export interface ReadQueue {
  /**
   * @param read begins when it is its turn
   * @throws Unavailable where too many wait, or it waited too long, or the client went away
   */
  readonly run: <T>(read: () => Promise<T>, caller?: Caller) => Promise<T>;
}

/** Reads that wait or are being done at one time. */
const PLACES = 128;

/**
 * @param atOnce reads that are done at one time
 * @param patience milliseconds that one waits for its turn
 * @param share the part of the line that one client may take
 */
export const readQueue = (atOnce: number, patience: number, share: number): ReadQueue => {
  const line = places(PLACES, share, 'reads');
  /** In the order in which they came: each is called when it is its turn. */
  const waiting = new Set<() => void>();
  let running = 0;

  const turn = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(begin);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abandon);
      };
      const begin = (): void => {
        leave();
        running += 1;
        resolve();
      };
      const abandon = (): void => {
        leave();
        reject(abandoned());
      };
      const giveUp = (): void => {
        leave();
        reject(new Unavailable('reads'));
      };
      const timer = setTimeout(giveUp, patience);
      waiting.add(begin);
      signal?.addEventListener('abort', abandon);
      if (running < atOnce) begin();
    });

  return {
    run: async (read, caller) => {
      const giveBack = line.take(caller);
      try {
        await turn(caller?.signal);
        try {
          if (caller?.signal.aborted) throw abandoned();
          return await read();
        } finally {
          running -= 1;
          const [next] = waiting;
          next?.();
        }
      } finally {
        giveBack();
      }
    },
  };
};
