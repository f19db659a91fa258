import { places } from './places.ts';
import type { Caller } from './port.ts';
import { abandoned, Unavailable } from './unavailable.ts';

/** Slow reads wait for their turn, because each of them occupies a thread or a connection. */
export interface ReadQueue {
  /**
   * @param read called when it is its turn
   * @throws Unavailable where too many reads wait, it has waited too long, or the client has gone away
   */
  readonly run: <T>(read: () => Promise<T>, caller?: Caller) => Promise<T>;
}

/**
 * @param most the most reads that wait or run
 * @param atOnce the most reads that run at one time
 * @param giveUpMs the age at which a read that still waits is given up
 * @param share the part of the queue that one client may take
 */
export const readQueue = (most: number, atOnce: number, giveUpMs: number, share: number): ReadQueue => {
  const line = places(most, share, 'reads');
  /** In order of arrival; each is called when it is its turn. */
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
      const timer = setTimeout(giveUp, giveUpMs);
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
