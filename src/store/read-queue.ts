import type { Caller } from './port.ts';
import { slots } from './slots.ts';
import { abandoned, Unavailable } from './unavailable.ts';

/** Slow reads wait for their turn, because each of them occupies a thread or a connection. */
export interface ReadQueue {
  /**
   * @param read called when it is its turn
   * @throws Unavailable where too many reads wait, it has waited too long, or the client has gone away
   */
  readonly run: <T>(read: () => Promise<T>, caller?: Caller) => Promise<T>;
}

export interface ReadQueueOptions {
  /** The most reads that wait or run. */
  readonly most: number;
  /** The most reads that run at one time. */
  readonly atOnce: number;
  /** The age at which a read that still waits is given up. */
  readonly giveUpMs: number;
  /** The part of the queue that one client may take. */
  readonly share: number;
  /** The reason of the error for a refused read: `database` for reads that wait only because it does not respond. */
  readonly reason: 'reads' | 'imports' | 'database';
}

export const readQueue = ({ most, atOnce, giveUpMs, share, reason }: ReadQueueOptions): ReadQueue => {
  const line = slots(most, share, reason);
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
        reject(new Unavailable(reason));
      };
      const timer = setTimeout(giveUp, giveUpMs);
      waiting.add(begin);
      signal?.addEventListener('abort', abandon);
      if (running < atOnce) begin();
    });

  return {
    run: async (read, caller) => {
      const release = line.take(caller);
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
        release();
      }
    },
  };
};
