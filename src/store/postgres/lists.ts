import type { Collection } from '../../model/catalogue.ts';
import { windowOf } from '../../model/query.ts';
import { inPlace, places } from '../places.ts';
import { type ReadQueue, readQueue } from '../read-queue.ts';
import { listPlan } from '../sql/lists.ts';
import { WAITING } from './driver.ts';
import { CHUNK, readAtOnce, readNumbers, readRanges, summaryOf } from './list-reads.ts';
import type { Pool } from './pool.ts';
import type { Reads } from './replica.ts';
import { openSnapshot } from './snapshots.ts';

/**
 * The parts of the connections that lists without an index may use at one time: pages do not wait behind whole lists, and
 * items, writes and lists with an index wait behind none of them. Lists inside an item are short as a rule.
 */
const PARTS = { pages: 0.3, wholeLists: 0.2, nested: 0.3 } as const;

export interface ListOptions {
  readonly quick: Pool;
  /** For long lists only, so that slow readers do not keep other requests waiting. */
  readonly streaming: Pool;
  /** Connections of either pool. */
  readonly size: number;
  /** Milliseconds after which a read that still waits is given up. */
  readonly timeout: number;
  /** The part of all long lists, and of all reads that wait, that one client may have. */
  readonly share: number;
}

/** A list of up to one chunk is read by one statement, a longer one in chunks from a snapshot. */
export const listsOf = ({ quick, streaming, size, timeout, share }: ListOptions): Pick<Reads, 'summarize' | 'list'> => {
  const streams = places(size, share, 'lists');
  const queueFor = (part: number): ReadQueue =>
    readQueue(WAITING, Math.max(1, Math.floor(size * part)), timeout, share);
  const pages = queueFor(PARTS.pages);
  const wholeLists = queueFor(PARTS.wholeLists);
  const nested = queueFor(PARTS.nested);
  const queueOf = ({ parent }: Collection, limit: number): ReadQueue => {
    if (parent) return nested;
    return limit <= CHUNK ? pages : wholeLists;
  };

  return {
    summarize: async (collection, parents, query, caller) => {
      const plan = listPlan(collection, parents, query);
      const read = async () => summaryOf(await quick.read((reader) => readNumbers(reader, plan), caller?.signal));
      return plan.isQuick ? read() : queueOf(collection, 0).run(read, caller);
    },
    list: async (collection, parents, query, caller) => {
      const plan = listPlan(collection, parents, query);
      const window = windowOf(query);
      const signal = caller?.signal;
      const read = async () => {
        const listing = await quick.read((reader) => readAtOnce(reader, plan, window), signal);
        if (listing === 'ranges') return quick.use((connection) => readRanges(connection, plan, window), { signal });
        if (listing !== 'chunks') return listing;
        return inPlace(streams, caller, () => openSnapshot(streaming, plan, window, signal));
      };
      return plan.isQuick ? read() : queueOf(collection, window.limit).run(read, caller);
    },
  };
};
