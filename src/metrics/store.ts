/** Metrics of the store: the duration of reads and commits, and the number of writes of each commit. */
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import { onListEnd } from '../store/list-end.ts';
import type { Listing, PageReader, Store } from '../store/port.ts';
import { type Family, gauge, type Sample } from './family.ts';
import { type Histogram, histogram, SECONDS } from './histogram.ts';

/** Bounds up to the most writes of one commit. */
const WRITES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const READS = ['item', 'nested', 'page', 'list', 'summary'] as const;

/** Measures how long a read takes, also where it fails. */
const timed = <T>(durations: Histogram, work: () => MaybePromise<T>): MaybePromise<T> => {
  const start = performance.now();
  const end = (): void => durations.observe((performance.now() - start) / 1_000);
  const result = work();
  if (result instanceof Promise) return result.finally(end);
  end();
  return result;
};

/** Measures only reads that return a page: where there is none, the list is read in another way. */
const timedPages =
  (durations: Histogram, read: PageReader): PageReader =>
  (...asked) => {
    const start = performance.now();
    return andThen(read(...asked), (page) => {
      if (page) durations.observe((performance.now() - start) / 1_000);
      return page;
    });
  };

/** Counts the long lists that are being read. */
const streamCounter = () => {
  let open = 0;
  const watched = (listing: Listing | undefined): Listing | undefined => {
    if (!listing?.long) return listing;
    let isOpen = true;
    open += 1;
    return onListEnd(listing, () => {
      if (isOpen) open -= 1;
      isOpen = false;
    });
  };
  return { watched, open: () => open };
};

export interface StoreMeter {
  /** @returns the same store, whose reads are measured */
  readonly measured: (store: Store) => Store;
  readonly onCommit: (writes: number, milliseconds: number) => void;
  readonly families: () => readonly Family[];
}

export const storeMeter = (): StoreMeter => {
  const durations = {
    item: histogram(SECONDS),
    nested: histogram(SECONDS),
    page: histogram(SECONDS),
    list: histogram(SECONDS),
    summary: histogram(SECONDS),
  } as const satisfies Record<(typeof READS)[number], Histogram>;
  const commits = histogram(SECONDS);
  const writes = histogram(WRITES);
  const streams = streamCounter();

  return {
    measured: (store) => {
      const { pages } = store;
      return {
        ...store,
        get: (...asked) => timed(durations.item, () => store.get(...asked)),
        getWithNested: (...asked) => timed(durations.nested, () => store.getWithNested(...asked)),
        summarize: (...asked) => timed(durations.summary, () => store.summarize(...asked)),
        list: (...asked) =>
          andThen(
            timed(durations.list, () => store.list(...asked)),
            streams.watched,
          ),
        ...(pages && {
          pages: (...made) => timedPages(durations.page, pages(...made)),
        }),
      };
    },
    onCommit: (count, milliseconds) => {
      commits.observe(milliseconds / 1_000);
      writes.observe(count);
    },
    families: () => [
      {
        name: 'catalogue_store_read_duration_seconds',
        help: 'Seconds of a read of the database: an item, one with nested items, a page, the first rows of a list, or its summary.',
        type: 'histogram',
        aggregation: 'sum',
        samples: READS.flatMap((read): readonly Sample[] => durations[read].samples({ read })),
      },
      {
        name: 'catalogue_store_commit_duration_seconds',
        help: 'Seconds of a commit, the disk included.',
        type: 'histogram',
        aggregation: 'sum',
        samples: commits.samples(),
      },
      {
        name: 'catalogue_store_commit_writes',
        help: 'Writes in one commit.',
        type: 'histogram',
        aggregation: 'sum',
        samples: writes.samples(),
      },
      gauge('catalogue_list_streams', 'Long lists that are being read.', streams.open()),
    ],
  };
};
