import type { MaybePromise } from '../model/maybe-promise.ts';
import { onListEnd } from './list-end.ts';
import type { Caller, Listing } from './port.ts';
import { abandoned, type Reason, Unavailable } from './unavailable.ts';

export interface ReadLimits {
  /** Milliseconds that one long list may take, by default 900,000. */
  readonly listTimeout?: number | undefined;
  /** The share of all long lists, and of all waiting reads, that one client may have; 1, all of them, by default. */
  readonly clientShare?: number | undefined;
}

/** A limited number of slots. */
export interface Slots {
  /**
   * @returns a function that releases the slot
   * @throws Unavailable where no slot is free, or the client already has its share
   */
  readonly take: (caller?: Caller) => () => void;
}

/**
 * @param all the number of slots
 * @param share the part of them that one client may take, up to 1
 * @param reason of the error where all are taken
 */
export const slots = (all: number, share: number, reason: Reason): Slots => {
  const limit = Math.max(1, Math.floor(all * share));
  const taken = new Map<string | undefined, number>();
  let total = 0;

  return {
    take: (caller) => {
      if (caller?.signal.aborted) throw abandoned();
      if (total >= all) throw new Unavailable(reason);
      const client = caller?.client;
      const own = taken.get(client) ?? 0;
      if (client !== undefined && own >= limit) throw new Unavailable('client');
      total += 1;
      taken.set(client, own + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        total -= 1;
        const left = (taken.get(client) ?? 0) - 1;
        if (left > 0) taken.set(client, left);
        else taken.delete(client);
      };
    },
  };
};

/** Opens a list that takes a slot: a long list until it ends, a short one until its rows are read. */
export const inSlot = (
  { take }: Slots,
  caller: Caller | undefined,
  open: () => MaybePromise<Listing | undefined>,
): MaybePromise<Listing | undefined> => {
  const release = take(caller);
  const hold = (listing: Listing | undefined): Listing | undefined => {
    if (listing?.long) return onListEnd(listing, release);
    release();
    return listing;
  };
  const fail = (error: unknown): never => {
    release();
    throw error;
  };
  try {
    const opened = open();
    return opened instanceof Promise ? opened.then(hold, fail) : hold(opened);
  } catch (error) {
    return fail(error);
  }
};
