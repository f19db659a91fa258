import type { Collection } from '../../../model/catalogue.ts';
import { type Query, type Window, windowOf } from '../../../model/query.ts';
import type { Caller, Keys, Listing } from '../../port.ts';
import { type ReadQueue, readQueue } from '../../read-queue.ts';
import { inSlot, slots } from '../../slots.ts';
import { postgres } from '../../sql/dialects.ts';
import { type ListPlan, listPlan } from '../../sql/lists/plan.ts';
import { WAITING } from '../connection/driver.ts';
import type { Pool } from '../connection/pool.ts';
import { postgresSearch } from '../search/find.ts';
import { readAtOnce, readNumbers, readRanges, summaryOf } from './list-reads.ts';
import { lookUp, writePage } from './pages.ts';
import type { Reads } from './replica.ts';
import { openSnapshot } from './snapshots.ts';

/**
 * The share of the connections that each kind of list may use at one time, so that no list waits behind a slower kind, and no
 * item or write behind a list. Whole lists by an index begin quickly, but their first chunks occupy the event loop; nested
 * lists are usually short.
 */
const SHARES = { pages: 0.3, wholeLists: 0.2, indexed: 0.2, nested: 0.3 } as const;

/**
 * Milliseconds that a read may wait beyond the time limit of a statement: by then it is known whether the server responds at
 * all, and nobody waits for a replica that does not.
 */
const QUEUE_MARGIN = 1_000;

export interface ListOptions {
  readonly quick: Pool;
  /** For long lists only, so that slow readers do not keep other requests waiting. */
  readonly streaming: Pool;
  /** Connections of either pool. */
  readonly size: number;
  /** Milliseconds that a statement may take. */
  readonly timeout: number;
  /** The share of all long lists, and of all waiting reads, that one client may have. */
  readonly share: number;
}

/** A list of up to one chunk is read by one statement, a longer one in chunks from a snapshot. */
export const listsOf = ({ quick, streaming, size, timeout, share }: ListOptions): Omit<Reads, 'get'> => {
  const streams = slots(size, share, 'lists');
  const queueFor = (part: number, reason: 'reads' | 'database'): ReadQueue =>
    readQueue({
      most: WAITING,
      atOnce: Math.max(1, Math.floor(size * part)),
      giveUpMs: timeout + QUEUE_MARGIN,
      share,
      reason,
    });
  const pages = queueFor(SHARES.pages, 'reads');
  const wholeLists = queueFor(SHARES.wholeLists, 'reads');
  const indexed = queueFor(SHARES.indexed, 'database');
  const nested = queueFor(SHARES.nested, 'database');
  /** @param limit rows */
  const inQueue = <T>(
    { parent }: Collection,
    { isQuick, chunk }: ListPlan,
    limit: number,
    read: () => Promise<T>,
    caller?: Caller,
  ) => {
    const isPage = limit <= chunk;
    if (parent) return nested.run(read, caller);
    if (isQuick) return isPage ? read() : indexed.run(read, caller);
    return (isPage ? pages : wholeLists).run(read, caller);
  };
  const planOf = (collection: Collection, parents: Keys, query: Query): ListPlan =>
    listPlan(collection, parents, query, { dialect: postgres, searchIn: postgresSearch });
  const readList = async (plan: ListPlan, window: Window, caller?: Caller): Promise<Listing | undefined> => {
    const signal = caller?.signal;
    const listing = await quick.read((reader) => readAtOnce(reader, plan, window), signal);
    if (listing === 'ranges') return quick.use((connection) => readRanges(connection, plan, window), { signal });
    if (listing !== 'chunks') return listing;
    return inSlot(streams, caller, () => openSnapshot(streaming, plan, window, signal));
  };

  return {
    summarize: async (collection, parents, query, caller) => {
      const plan = planOf(collection, parents, query);
      const read = async () => summaryOf(await quick.read((reader) => readNumbers(reader, plan), caller?.signal));
      return inQueue(collection, plan, 0, read, caller);
    },
    list: async (collection, parents, query, caller) => {
      const plan = planOf(collection, parents, query);
      const window = windowOf(query);
      return inQueue(collection, plan, window.limit, () => readList(plan, window, caller), caller);
    },
    page: async (reading, collection, query, caller) => {
      const plan = planOf(collection, [], query);
      const window = windowOf(query);
      const { pays, isTurn } = reading.lookUps.next();
      const page = pays
        ? await quick.read((reader) => lookUp(reader, reading, plan, window), caller?.signal)
        : undefined;
      if (page) return page;
      if (reading.cache.isFull() && !isTurn) return readList(plan, window, caller);
      const listing = await readList({ ...plan, columns: reading.columns }, window, caller);
      return listing && writePage(reading, listing);
    },
  };
};
