/** Metrics of the store: the duration of reads and commits, and the number of writes of each commit. */
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Found, ReadPlan } from '../../gateway/port/port.ts';
import type { Store } from '../../store/store.ts';
import { withEnd } from '../../store/streams.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import { SECONDS } from './seconds.ts';

/** Bounds up to the most writes of one commit. */
const WRITES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const READS = ['item', 'nested', 'page', 'list', 'summary'] as const;
type Read = (typeof READS)[number];

/** What the store reports, and what measures its reads. */
export interface StoreMeter {
  /** @returns the same store, whose reads are measured */
  readonly measured: (store: Store) => Store;
  readonly onCommit: (count: number, milliseconds: number) => void;
}

const kindOf = ({ shape, query }: ReadPlan): Read => (shape === 'item' && query.include ? 'nested' : shape);

export function storeMeter(registry: Registry): StoreMeter {
  const registers = [registry];
  const reads = new Histogram({
    name: 'catalogue_store_read_duration_seconds',
    help: 'Seconds of a read of the database: an item, one with nested items, a page, the first rows of a list, or its summary.',
    labelNames: ['read'],
    buckets: SECONDS,
    registers,
  });
  for (const read of READS) reads.zero({ read });
  const commits = new Histogram({
    name: 'catalogue_store_commit_duration_seconds',
    help: 'Seconds of a commit, the disk included.',
    buckets: SECONDS,
    registers,
  });
  const writes = new Histogram({
    name: 'catalogue_store_commit_writes',
    help: 'Writes in one commit.',
    buckets: WRITES,
    registers,
  });
  const streams = new Gauge({ name: 'catalogue_list_streams', help: 'Long lists that are being read.', registers });

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
    measured: (store) => ({
      ...store,
      read: (plan, caller) =>
        andThen(
          timed(kindOf(plan), () => store.read(plan, caller)),
          watched,
        ),
      summarize: (...asked) => timed('summary', () => store.summarize(...asked)),
    }),
    onCommit: (count, milliseconds) => {
      commits.observe(milliseconds / 1_000);
      writes.observe(count);
    },
  };
}
