import type { Collection } from '../../model/catalogue.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import { type Query, type Window, windowOf } from '../../model/query.ts';
import type { Keys, Listing, ListSummary, Row } from '../port.ts';
import { type ListPlan, listPlan } from '../sql/lists.ts';
import { tooManyLists } from '../unavailable.ts';
import { type Connection, connect, inSnapshot } from './connection.ts';
import { readerThread } from './reader-thread.ts';
import { CHUNK, chunksOf, isSlow, resolve, snapshots, summarize } from './snapshots.ts';

/** The most long lists at one time: an open snapshot keeps the write-ahead log from shrinking. */
const STREAMS = 32;

interface Lists {
  readonly summarize: (collection: Collection, parents: Keys, query: Query) => MaybePromise<ListSummary | undefined>;
  readonly list: (collection: Collection, parents: Keys, query: Query) => MaybePromise<Listing | undefined>;
  readonly close: () => void;
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

/** Lists of a database in memory, which no second connection can read: each is read whole. */
export const listsInMemory = (main: Connection): Lists => ({
  summarize: (collection, parents, query) =>
    inSnapshot(main, () => summarize(main, listPlan(collection, parents, query))),
  list: (collection, parents, query) => {
    const found = readAtOnce(main, listPlan(collection, parents, query), windowOf(query), Infinity);
    if (!found) return undefined;
    const { rows = [], ...summary } = found;
    return { ...summary, chunks: chunksOf(rows), long: rows.length > CHUNK };
  },
  close: () => {},
});

/**
 * Lists of a file. A short one that an index makes fast is read at once on the store's own connection; a long one in chunks,
 * between other requests, from a snapshot of its own. A plan that reads many rows runs on a thread.
 *
 * @param main the store's own connection
 * @param location the file
 */
export const listsInFile = (main: Connection, location: string): Lists => {
  const streams = snapshots(() => connect(location, { readOnly: true }));
  const thread = readerThread(location);

  const limited = <T>(open: () => T): T => {
    if (streams.held() + thread.held() < STREAMS) return open();
    throw tooManyLists();
  };
  return {
    summarize: (collection, parents, query) => {
      const plan = listPlan(collection, parents, query);
      return isSlow(main, plan) ? thread.summarize(plan) : inSnapshot(main, () => summarize(main, plan));
    },
    list: (collection, parents, query) => {
      const plan = listPlan(collection, parents, query);
      const window = windowOf(query);
      if (isSlow(main, plan)) return limited(() => thread.list(plan, window));
      const found = readAtOnce(main, plan, window, CHUNK);
      if (!found) return undefined;
      const { rows, ...summary } = found;
      return rows ? { ...summary, chunks: chunksOf(rows), long: false } : limited(() => streams.list(plan, window));
    },
    close: () => {
      streams.close();
      thread.close();
    },
  };
};
