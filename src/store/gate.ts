import type { Caller } from '../gateway/port/port.ts';
import { abandoned, type Reason, Unavailable } from '../gateway/port/unavailable.ts';

/** How much of one kind of work is done at a time. */
export interface GateLimits {
  /** The most that is done at one time. */
  readonly places: number;
  /** The most that waits for a place; the rest is refused at once. */
  readonly waiting: number;
  /** Milliseconds after which what still waits is given up. */
  readonly giveUpMs: number;
  /** Of the error for what is refused: `database` for work that waits only because the database does not respond. */
  readonly reason: Reason;
}

/** Limits work that occupies a thread, a connection or a snapshot. */
export type Gate = ReturnType<typeof gateOf>;

/** @param share the part of all places, waiting ones too, that one client may have, up to 1 */
export const gateOf = ({ places, waiting: mostWaiting, giveUpMs, reason }: GateLimits, share: number) => {
  const most = places + mostWaiting;
  const mostOfClient = Math.max(1, Math.floor(most * share));
  const ofClients = new Map<string, number>();
  /** In order of arrival; each begins what waits. */
  const waiting = new Set<() => void>();
  let busy = 0;
  let all = 0;

  const count = (client: string | undefined, by: 1 | -1): void => {
    all += by;
    if (client === undefined) return;
    const now = (ofClients.get(client) ?? 0) + by;
    if (now > 0) ofClients.set(client, now);
    else ofClients.delete(client);
  };
  const place = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(begin);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abandon);
      };
      const begin = (): void => {
        leave();
        busy += 1;
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
    });
  /**
   * @returns a function that frees the place; at once where one is free
   * @throws Unavailable where too much waits, it has waited too long, or the client has gone away
   */
  const enter = async (caller?: Caller): Promise<() => void> => {
    const { signal, client } = caller ?? {};
    if (signal?.aborted) throw abandoned();
    if (all >= most) throw new Unavailable(reason);
    if (client !== undefined && (ofClients.get(client) ?? 0) >= mostOfClient) throw new Unavailable('client');
    count(client, 1);
    let isFree = false;
    const free = (): void => {
      if (isFree) return;
      isFree = true;
      count(client, -1);
      busy -= 1;
      const [next] = waiting;
      next?.();
    };
    if (busy < places) busy += 1;
    else {
      try {
        await place(signal);
      } catch (error) {
        count(client, -1);
        throw error;
      }
    }
    return free;
  };
  return {
    enter,
    /** Does some work in a place. */
    run: async <T>(work: () => Promise<T>, caller?: Caller): Promise<T> => {
      const free = await enter(caller);
      try {
        if (caller?.signal.aborted) throw abandoned();
        return await work();
      } finally {
        free();
      }
    },
  };
};
