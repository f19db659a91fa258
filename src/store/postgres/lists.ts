import type { Collection } from '../../model/catalogue.ts';
import { type Query, type Window, windowOf } from '../../model/query.ts';
import type { Keys, Listing, Row, Summary } from '../port.ts';
import { type ListPlan, listPlan, windowStatements } from '../sql/lists.ts';
import type { Connection, Pool } from './connection.ts';
import { countIn, readHead, readWithHead, summaryOf } from './heads.ts';
import { CHUNK, type Snapshots } from './snapshots.ts';

interface Lists {
  readonly summarize: (collection: Collection, parents: Keys, query: Query) => Promise<Summary | undefined>;
  readonly list: (collection: Collection, parents: Keys, query: Query) => Promise<Listing | undefined>;
}

/** A list that was read in one go. */
const whole = (summary: Summary, rows: readonly Row[]): Listing => ({
  ...summary,
  chunks: (rows.length === 0 ? [] : [rows]).values(),
  long: false,
});

/** Offsets beyond what a database counts are beyond every end. */
const bounded = ({ offset, limit }: Window): Window => ({
  offset: Math.min(offset, Number.MAX_SAFE_INTEGER),
  limit: Math.min(limit, CHUNK),
});

/**
 * Reads a list by one statement, where it is no longer than a chunk and its first range holds all of it.
 *
 * @returns `undefined` where the item around it is missing, `'more'` where it takes a transaction to read
 */
const readAtOnce = async (
  connection: Connection,
  plan: ListPlan,
  window: Window,
): Promise<Listing | 'more' | undefined> => {
  const [first] = windowStatements(plan, bounded(window), Infinity);
  const { head, rows } = first ? await readWithHead(connection, plan, first) : { head: undefined, rows: [] };
  const summary = summaryOf(head ?? (await readHead(connection, plan)));
  if (!summary) return undefined;
  return rows.length === countIn(window, summary.total) ? whole(summary, rows) : 'more';
};

/**
 * @param pool where lists are read
 * @param snapshots where those are read that take more than one statement
 */
export const listsOf = (pool: Pool, snapshots: Snapshots): Lists => ({
  summarize: async (collection, parents, query) => {
    const plan = listPlan(collection, parents, query);
    return summaryOf(await pool.use((connection) => readHead(connection, plan)));
  },
  list: async (collection, parents, query) => {
    const plan = listPlan(collection, parents, query);
    const window = windowOf(query);
    const listing = await pool.use((connection) => readAtOnce(connection, plan, window));
    return listing === 'more' ? snapshots.list(plan, window) : listing;
  },
});
