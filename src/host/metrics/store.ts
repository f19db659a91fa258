/** Metrics of the store: the duration of reads and commits, and the number of writes of each commit. */
import type { Registry } from 'prom-client';
import type { Found, ReadPlan } from '../../gateway/port/port.ts';
import type { Store } from '../../store/store.ts';
import { withEnd } from '../../store/streams.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import { gauge, histogram } from './instruments.ts';

/** Bounds up to the most writes of one commit. */
const WRITES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const READS = ['item', 'nested', 'page', 'list', 'summary'] as const;
type Read = (typeof READS)[number];

const kindOf = ({ shape, query }: ReadPlan): Read => (shape === 'item' && query.include ? 'nested' : shape);

export function storeMeter(registry: Registry) {
  const read =
    'Seconds of a read of the database: an item, one with nested items, a page, the first rows of a list, or its summary.';
  const reads = histogram(registry, 'catalogue_store_read_duration_seconds', read, ['read']);
  for (const kind of READS) reads.zero({ read: kind });
  const commit = 'Seconds of a commit, the disk included.';
  const commits = histogram(registry, 'catalogue_store_commit_duration_seconds', commit);
  const writes = histogram(registry, 'catalogue_store_commit_writes', 'Writes in one commit.', [], WRITES);
  const streams = gauge(registry, 'catalogue_list_streams', 'Long lists that are being read.');

  /** Measures how long a read takes, also where it fails. */
  const timed = <T>(read: Read, work: () => MaybePromise<T>): MaybePromise<T> => {
    const end = reads.startTimer({ read });
    const result = work();
    if (result instanceof Promise) return result.finally(end);
    end();
    return result;
  };
  /** Counts a long list while it is being read. */
  const watched = (found: Found | undefined): Found | undefined => {
    if (!found?.rest) return found;
    streams.inc();
    return { ...found, rest: withEnd(found.rest, () => streams.dec()) };
  };
  return {
    /** @returns the same store, whose reads are measured */
    measured: (store: Store): Store => ({
      ...store,
      read: (plan, caller) =>
        andThen(
          timed(kindOf(plan), () => store.read(plan, caller)),
          watched,
        ),
      summarize: (...asked) => timed('summary', () => store.summarize(...asked)),
    }),
    onCommit: (count: number, milliseconds: number): void => {
      commits.observe(milliseconds / 1_000);
      writes.observe(count);
    },
  };
}
