/** Decides by the hit rate of earlier pages whether to look rows up in the cache. */

/** Above this share of misses, most pages are read without a look at the cache. */
const RARELY_FOUND = 1 / 2;
/** One page in this many is looked up anyway, and cached even where the cache is full. */
const INTERVAL = 8;

export interface LookUps {
  /** Called once for each page. `isTurn`: the page is looked up and cached in any case. */
  readonly next: () => { readonly pays: boolean; readonly isTurn: boolean };
  /** Records the share of a page's rows that were not cached. */
  readonly saw: (missing: number) => void;
}

export const lookUps = (): LookUps => {
  /** The recent share of misses. */
  let missing = 0;
  let pages = 0;
  return {
    next: () => {
      pages++;
      const isTurn = pages % INTERVAL === 0;
      return { pays: missing < RARELY_FOUND || isTurn, isTurn };
    },
    saw: (share) => {
      missing += (share - missing) / INTERVAL;
    },
  };
};
