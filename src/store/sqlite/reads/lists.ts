import type { MaybePromise } from '../../../model/maybe-promise.ts';
import { type Window, windowOf } from '../../../model/query.ts';
import type { Listing, Row, Store } from '../../port.ts';
import { inSlot, slots } from '../../slots.ts';
import { sqlite } from '../../sql/dialects.ts';
import { type ListPlan, listPlan } from '../../sql/lists/plan.ts';
import { wholePlan } from '../../sql/lists/whole.ts';
import { type Connection, connect, inSnapshot } from '../connection/connection.ts';
import { INTERRUPTIBLE } from '../connection/interrupt.ts';
import { readerThread } from './reader-thread.ts';
import { chunksOf, isSlowList, resolve, snapshots, summarize } from './snapshots.ts';

/** Long lists at one time: an open snapshot keeps the write-ahead log from shrinking. */
const STREAMS = 32;

interface Lists extends Pick<Store, 'summarize' | 'list' | 'countRows'> {
  readonly close: () => Promise<void>;
}

/** Reads a list in one go on the store's own connection; `rows` is `undefined` where it has more than `most`. */
const readAtOnce = (main: Connection, plan: ListPlan, window: Window, most: number) =>
  inSnapshot(main, () => {
    const resolved = resolve(main, plan, window);
    if (!resolved) return undefined;
    const { total, change, count, statements } = resolved;
    const rows = count > most ? undefined : statements.flatMap((each) => main.rows<Row>(each));
    return { total, change, rows };
  });

/** Reads a list of up to one chunk; `readLong` reads a longer one. */
const readShort = (
  main: Connection,
  plan: ListPlan,
  window: Window,
  readLong: () => MaybePromise<Listing | undefined>,
) => {
  const found = readAtOnce(main, plan, window, plan.chunk);
  if (!found) return undefined;
  const { rows, ...summary } = found;
  return rows ? { ...summary, chunks: chunksOf(rows, plan.chunk), long: false } : readLong();
};

/**
 * Lists of a database in memory, which no second connection can read: each is read whole.
 *
 * @param share the part of all long lists that one client may have
 */
export const listsInMemory = (main: Connection, share: number): Lists => {
  const streams = slots(STREAMS, share, 'lists');

  const readWhole = (plan: ListPlan, window: Window): Listing | undefined => {
    const { rows = [], ...summary } = readAtOnce(main, plan, window, Infinity) ?? {};
    return 'total' in summary ? { ...summary, chunks: chunksOf(rows, plan.chunk), long: true } : undefined;
  };
  return {
    summarize: (collection, parents, query) =>
      inSnapshot(main, () => summarize(main, listPlan(collection, parents, query))),
    list: (collection, parents, query, caller) => {
      const plan = listPlan(collection, parents, query);
      const window = windowOf(query);
      return readShort(main, plan, window, () => inSlot(streams, caller, () => readWhole(plan, window)));
    },
    countRows: (collection) => summarize(main, wholePlan(collection, sqlite))?.total ?? 0,
    close: async () => {},
  };
};

/**
 * Lists of a file. A short one that an index makes fast is read at once on the store's own connection; a long one in chunks,
 * between other requests, from a snapshot of its own. A plan that reads many rows runs on a thread: one for pages and one for
 * whole lists, so that no page waits for a whole list.
 *
 * @param main the store's own connection
 * @param location the file
 * @param share the part of all long lists, and of all reads that wait, that one client may have
 */
export const listsInFile = (main: Connection, location: string, share: number): Lists => {
  const streams = slots(STREAMS, share, 'lists');
  const onLoop = snapshots(() => connect(location, { readOnly: true }));
  const pages = readerThread(location, share);
  const wholeLists = readerThread(location, share);

  return {
    summarize: (collection, parents, query, caller) => {
      const plan = listPlan(collection, parents, query);
      if (!isSlowList(main, plan)) return inSnapshot(main, () => summarize(main, plan));
      return pages.summarize(listPlan(collection, parents, query, { first: INTERRUPTIBLE }), caller);
    },
    list: (collection, parents, query, caller) => {
      const plan = listPlan(collection, parents, query);
      const window = windowOf(query);
      if (!isSlowList(main, plan)) {
        return readShort(main, plan, window, () => inSlot(streams, caller, () => onLoop.list(plan, window)));
      }
      const slow = listPlan(collection, parents, query, { first: INTERRUPTIBLE });
      if (window.limit <= plan.chunk) return pages.list(slow, window, caller);
      return inSlot(streams, caller, () => wholeLists.list(slow, window, caller));
    },
    countRows: async (collection) => {
      const plan = wholePlan(collection, sqlite);
      const summary = collection.parent ? await pages.summarize(plan) : summarize(main, plan);
      return summary?.total ?? 0;
    },
    close: async () => {
      onLoop.close();
      await Promise.all([pages.close(), wholeLists.close()]);
    },
  };
};
