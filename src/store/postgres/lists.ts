import type { Collection } from '../../model/catalogue.ts';
import { type Query, type Window, windowOf } from '../../model/query.ts';
import type { Keys, Listing, ListSummary, Row } from '../port.ts';
import { type ListPlan, listPlan, windowStatements } from '../sql/lists.ts';
import type { Reader } from './connection.ts';
import { countIn, headOf, readHead, readWithHead, summaryOf } from './heads.ts';
import type { Pool } from './pool.ts';
import type { Snapshots } from './snapshots.ts';
import { CHUNK, readInTransaction } from './transactions.ts';

interface Lists {
  readonly summarize: (collection: Collection, parents: Keys, query: Query) => Promise<ListSummary | undefined>;
  readonly list: (collection: Collection, parents: Keys, query: Query) => Promise<Listing | undefined>;
}

/** A list that was read whole. */
const whole = ({ total, change }: ListSummary, rows: readonly Row[]): Listing => ({
  total,
  change,
  chunks: (rows.length === 0 ? [] : [rows]).values(),
  long: false,
});

/** Within what a database can count; any greater offset is beyond every end. */
const bounded = ({ offset, limit }: Window): Window => ({
  offset: Math.min(offset, Number.MAX_SAFE_INTEGER),
  limit: Math.min(limit, CHUNK),
});

/** How to read a list that one statement does not: `ranges`, whole but with its second range, or in `chunks`. */
type Rest = 'ranges' | 'chunks';

/**
 * Reads a list by one statement.
 *
 * @returns `undefined` where its parent is missing
 */
const readAtOnce = async (reader: Reader, plan: ListPlan, window: Window): Promise<Listing | Rest | undefined> => {
  const [first] = windowStatements(plan, bounded(window), Infinity, headOf(plan));
  const { head, rows } = first ? await readWithHead(reader, first) : { head: undefined, rows: [] };
  const summary = summaryOf(head ?? (await readHead(reader, plan)));
  if (!summary) return undefined;
  const count = countIn(window, summary.total);
  if (rows.length === count) return whole(summary, rows);
  return count > CHUNK ? 'chunks' : 'ranges';
};

/**
 * @param pool where lists are read
 * @param snapshots where long ones are
 */
export const listsOf = (pool: Pool, snapshots: Snapshots): Lists => ({
  summarize: async (collection, parents, query) => {
    const plan = listPlan(collection, parents, query);
    return summaryOf(await pool.read((reader) => readHead(reader, plan)));
  },
  list: async (collection, parents, query) => {
    const plan = listPlan(collection, parents, query);
    const window = windowOf(query);
    const listing = await pool.read((reader) => readAtOnce(reader, plan, window));
    if (listing === 'chunks') return snapshots.list(plan, window);
    if (listing !== 'ranges') return listing;
    const read = await pool.use((connection) => readInTransaction(connection, plan, window));
    return read && whole(read, read.rows);
  },
});
