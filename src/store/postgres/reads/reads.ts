import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import type { Cell } from '../../../gateway/model/field.ts';
import type { Caller, Found, ListSummary } from '../../../gateway/port/port.ts';
import { ConcurrencyLimiter } from '../../../util/concurrency-limiter.ts';
import { foundIncluding } from '../../sql/items.ts';
import { type ItemPlan, type ListPlan, type SqlPlan, withNext } from '../../sql/read-plan.ts';
import { type Streams, streamsOf } from '../../streams.ts';
import type { PostgresLimits } from '../connection/limits.ts';
import type { Pool } from '../connection/pool.ts';
import { itemReader } from './items.ts';
import { readAtOnce, readNumbers, readRanges, summaryOf } from './list-reads.ts';
import { openSnapshot } from './snapshots.ts';

export interface ReadsOptions {
  readonly quick: Pool;
  /** For long lists only, so that slow readers do not keep other requests waiting. */
  readonly streaming: Pool;
  readonly limits: PostgresLimits;
  /** The part of all places that one client may have. */
  readonly share: number;
  /** Milliseconds that one long list may take. */
  readonly listTimeout: number | undefined;
}

interface Reads extends Pick<Streams, 'endAll'> {
  readonly read: (plan: SqlPlan, caller?: Caller) => Promise<Found | undefined>;
  readonly summarize: (plan: ListPlan, caller?: Caller) => Promise<ListSummary | undefined>;
}

/** One way for all reads of a server: the plan says which limiter it passes, and how it is read. */
export const readsOf = (
  catalogue: Catalogue,
  { quick, streaming, limits, share, listTimeout }: ReadsOptions,
): Reads => {
  const streams = streamsOf(new ConcurrencyLimiter(limits.streams, share), listTimeout);
  const limiters = {
    scannedPages: new ConcurrencyLimiter(limits.scannedPages, share),
    scannedLists: new ConcurrencyLimiter(limits.scannedLists, share),
    indexedLists: new ConcurrencyLimiter(limits.indexedLists, share),
    nestedLists: new ConcurrencyLimiter(limits.nestedLists, share),
  };
  const readRow = itemReader(quick, catalogue, limits.items);

  /** @returns the limiter of a list; pages by an index have none */
  const chooseLimiter = ({ collection, cost, shape }: ListPlan) => {
    if (collection.isNested) return limiters.nestedLists;
    if (cost === 'index') return shape === 'page' ? undefined : limiters.indexedLists;
    return shape === 'page' ? limiters.scannedPages : limiters.scannedLists;
  };
  const runLimited = <T>(plan: ListPlan, work: () => Promise<T>, caller: Caller | undefined): Promise<T> =>
    chooseLimiter(plan)?.run(work, caller) ?? work();

  const readItem = async ({ collection, keys, including }: ItemPlan): Promise<Found | undefined> => {
    if (including) return foundIncluding((await quick.read((reader) => reader.rows<Cell[]>(including)))[0]);
    const row = await readRow(collection, keys);
    return row && { total: 1, change: row[0], rows: [row] };
  };
  /** A list of up to one chunk is read by one statement, a longer one in chunks from a snapshot. */
  const readList = async (plan: ListPlan, caller?: Caller): Promise<Found | undefined> => {
    const signal = caller?.signal;
    const atOnce = await quick.read((reader) => readAtOnce(reader, plan), signal);
    if (atOnce === 'chunks') return streams.read(() => openSnapshot(streaming, plan, signal), caller);
    const isWhole = atOnce !== 'ranges';
    const found = isWhole ? atOnce : await quick.use((connection) => readRanges(connection, plan), { signal });
    return found && withNext(plan, found);
  };
  return {
    read: (plan, caller) =>
      plan.shape === 'item' ? readItem(plan) : runLimited(plan, () => readList(plan, caller), caller),
    summarize: (plan, caller) =>
      runLimited(
        { ...plan, shape: 'page' },
        async () => summaryOf(await quick.read((reader) => readNumbers(reader, plan.sql), caller?.signal)),
        caller,
      ),
    endAll: streams.endAll,
  };
};
