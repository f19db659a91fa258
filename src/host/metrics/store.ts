/** Metrics of the store: the duration of reads and commits, and the number of writes of each commit. */

import type { Found, ReadPlan } from '../../gateway/port/port.ts';
import type { Store } from '../../store/store.ts';
import { withEnd } from '../../store/streams.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import { type Family, gauge, type Histogram, histogram, histogramFamily } from './family.ts';

/** Bounds up to the most writes of one commit. */
const WRITES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Measures how long a read takes, also where it fails. */
const timed = <T>(durations: Histogram, work: () => MaybePromise<T>): MaybePromise<T> => {
  const start = performance.now();
  const end = (): void => durations.observe((performance.now() - start) / 1_000);
  const result = work();
  if (result instanceof Promise) return result.finally(end);
  end();
  return result;
};

const kindOf = ({ shape, query }: ReadPlan): 'item' | 'nested' | 'page' | 'list' =>
  shape === 'item' && query.include ? 'nested' : shape;

/** Counts the long lists that are being read. */
const streamCounter = () => {
  let open = 0;
  const watched = (found: Found | undefined): Found | undefined => {
    if (!found?.rest) return found;
    open += 1;
    const close = (): void => {
      open -= 1;
    };
    return { ...found, rest: withEnd(found.rest, close) };
  };
  return { watched, open: () => open };
};

export const storeMeter = () => {
  const durations = {
    item: histogram(),
    nested: histogram(),
    page: histogram(),
    list: histogram(),
    summary: histogram(),
  };
  const commits = histogram();
  const writes = histogram(WRITES);
  const streams = streamCounter();

  return {
    /** @returns the same store, whose reads are measured */
    measured: (store: Store): Store => ({
      ...store,
      read: (plan, caller) =>
        andThen(
          timed(durations[kindOf(plan)], () => store.read(plan, caller)),
          streams.watched,
        ),
      summarize: (...asked) => timed(durations.summary, () => store.summarize(...asked)),
    }),
    onCommit: (count: number, milliseconds: number): void => {
      commits.observe(milliseconds / 1_000);
      writes.observe(count);
    },
    families: (): readonly Family[] => [
      histogramFamily(
        'catalogue_store_read_duration_seconds',
        'Seconds of a read of the database: an item, one with nested items, a page, the first rows of a list, or its summary.',
        Object.entries(durations).map(([read, each]) => [{ read }, each] as const),
      ),
      histogramFamily('catalogue_store_commit_duration_seconds', 'Seconds of a commit, the disk included.', commits),
      histogramFamily('catalogue_store_commit_writes', 'Writes in one commit.', writes),
      gauge('catalogue_list_streams', 'Long lists that are being read.', streams.open()),
    ],
  };
};
