import type { Collection } from '../../model/catalogue.ts';
import type { Cell } from '../../model/field.ts';
import { type Query, type Window, windowOf } from '../../model/query.ts';
import type { Keys, Listing, Row, Summary } from '../port.ts';
import { type ListPlan, listPlan, windowStatements } from '../sql/lists.ts';
import type { Connection, Pool } from './connection.ts';
import { countIn, headIn, readHead, summaryOf, withHead } from './heads.ts';
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
  const found = first ? await connection.rows<[head: string, ...Row]>(withHead(plan, first)) : [];
  const head = found[0] ? headIn(found[0][0]) : await readHead(connection, plan);
  const summary = summaryOf(head);
  if (!summary) return undefined;
  const rows = found.map((row) => row.slice(1) as readonly Cell[] as Row);
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
