/** Whether it pays to look the rows of pages up among those that are kept, as the pages before tell. */

/** Where this share of the rows is not found, most pages are read without a look at what is kept. */
const RARELY_FOUND = 1 / 2;
/** One page in so many is looked up all the same; and one in so many kept again where there is no room for all. */
const INTERVAL = 8;

export interface LookUps {
  /** Asked once for each page. `isTurn`: it is one of the few that are looked up, and kept, in any case. */
  readonly next: () => { readonly pays: boolean; readonly isTurn: boolean };
  /** Told which share of a page's rows was missing. */
  readonly saw: (missing: number) => void;
}

export const lookUps = (): LookUps => {
  /** The share of rows that were not found lately. */
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
