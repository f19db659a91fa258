import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import type { Caller, Found, ListSummary } from '../../../gateway/port/port.ts';
import { messageOf, Unavailable } from '../../../gateway/port/unavailable.ts';
import type { ListPlan, SqlPlan } from '../../sql/lists/read-plan.ts';
import { quote, rowColumns, statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import { isTimeLimit, OverloadError } from '../connection/errors.ts';
import type { Pool } from '../connection/pool.ts';

/** The reads that a replica can do. */
export interface Reads {
  readonly read: (plan: SqlPlan, caller?: Caller) => Promise<Found | undefined>;
  readonly summarize: (plan: ListPlan, caller?: Caller) => Promise<ListSummary | undefined>;
}

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
  /** @returns the same read of the replica, or else of the primary */
  const either =
    <P, T>(
      onReplica: (plan: P, caller?: Caller) => Promise<T | undefined>,
      onPrimary: (plan: P, caller?: Caller) => Promise<T | undefined>,
    ) =>
    async (plan: P, caller?: Caller): Promise<T | undefined> => {
      if (!isUp) return onPrimary(plan, caller);
      const ended = down.signal;
      const signal = caller ? AbortSignal.any([caller.signal, ended]) : ended;
      try {
        const found = await onReplica(plan, { signal, client: caller?.client });
        if (found !== undefined) return found;
      } catch (error) {
        if (isFailure(error)) failed(error);
        else if (!ended.aborted || caller?.signal.aborted) throw error;
      }
      return onPrimary(plan, caller);
    };
  const readEither = either(replica.read, primary.read);
  return {
    read: (plan, caller) => (plan.freshness === 'latest' ? primary.read(plan, caller) : readEither(plan, caller)),
    summarize: either(replica.summarize, primary.summarize),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
};
