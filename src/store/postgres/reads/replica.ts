import type { Catalogue, Collection } from '../../../model/catalogue.ts';
import type { Query } from '../../../model/query.ts';
import type { Caller, Listing, Page, Store } from '../../port.ts';
import { rowColumns } from '../../sql/columns.ts';
import { quote, statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import { messageOf, Unavailable } from '../../unavailable.ts';
import { isTimeLimit, OverloadError } from '../connection/errors.ts';
import type { Pool } from '../connection/pool.ts';
import type { PageReading } from './pages.ts';

/** The reads that a replica can do. */
export type Reads = {
  readonly [K in 'get' | 'summarize' | 'list']: (
    ...asked: Parameters<Store[K]>
  ) => Promise<Awaited<ReturnType<Store[K]>>>;
} & {
  /** Reads a page that has a quick plan and at most one chunk of rows. */
  readonly page: (
    reading: PageReading,
    collection: Collection,
    query: Query,
    caller?: Caller,
  ) => Promise<Page | Listing | undefined>;
};

/** Milliseconds between two checks of a replica that failed. */
const PAUSE = 1_000;

/** Selects every column that reads use, because a replica that lags behind may lack one. */
const lookAt = async (pool: Pool, catalogue: Catalogue): Promise<void> => {
  const texts = catalogue.map(
    (collection) => `SELECT ${rowColumns(collection).join(', ')} FROM ${quote(collection.name)} LIMIT 0`,
  );
  for (const sql of [readChange, ...texts]) await pool.read(({ rows }) => rows(statement(sql)));
};

/** An error without a cause is one of our own limits, such as too many open lists. */
const isFailure = (error: unknown): error is Unavailable =>
  error instanceof Unavailable && error.cause !== undefined && !(error.cause instanceof OverloadError);

/**
 * Reads from a replica, or from the primary where the replica fails or does not have the requested change yet. A replica that
 * failed is not used until it responds again.
 *
 * @param pool of the replica
 * @param report called once when the replica fails, and once when it responds again
 */
export const withReplica = (
  primary: Reads,
  replica: Reads,
  pool: Pool,
  catalogue: Catalogue,
  report: (line: string) => void,
): Reads & { readonly close: () => void } => {
  let isUp = true;
  /** Aborted once the replica has failed: reads that wait for it are then served by the primary. */
  let down = new AbortController();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const lookAgain = (): void => {
    timer = setTimeout(async () => {
      try {
        await lookAt(pool, catalogue);
        isUp = true;
        down = new AbortController();
        if (!isClosed) report('DATABASE_READ_URL: the replica answers again');
      } catch {
        if (!isClosed) lookAgain();
      }
    }, PAUSE).unref();
  };
  const failed = (error: Unavailable): void => {
    if (!isUp || isClosed || isTimeLimit(error)) return;
    isUp = false;
    down.abort();
    report(`DATABASE_READ_URL: the replica does not answer (${messageOf(error)}): the primary is asked instead`);
    lookAgain();
  };
  const either = async <T>(
    onReplica: (caller: Caller) => Promise<T>,
    onPrimary: () => Promise<T>,
    { signal, client }: Partial<Caller> = {},
  ): Promise<T> => {
    if (!isUp) return onPrimary();
    const ended = down.signal;
    try {
      const found = await onReplica({ signal: signal ? AbortSignal.any([signal, ended]) : ended, client });
      if (found !== undefined) return found;
    } catch (error) {
      if (isFailure(error)) failed(error);
      else if (!ended.aborted || signal?.aborted) throw error;
    }
    return onPrimary();
  };
  return {
    get: (collection, keys, freshness) => {
      const latest = () => primary.get(collection, keys);
      return freshness === 'any' ? either(() => replica.get(collection, keys), latest) : latest();
    },
    summarize: (collection, parents, query, caller) =>
      either(
        (own) => replica.summarize(collection, parents, query, own),
        () => primary.summarize(collection, parents, query, caller),
        caller,
      ),
    list: (collection, parents, query, caller) =>
      either(
        (own) => replica.list(collection, parents, query, own),
        () => primary.list(collection, parents, query, caller),
        caller,
      ),
    page: (reading, collection, query, caller) =>
      either(
        (own) => replica.page(reading, collection, query, own),
        () => primary.page(reading, collection, query, caller),
        caller,
      ),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
};
