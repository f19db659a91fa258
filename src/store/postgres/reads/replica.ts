import type { Catalogue } from '../../../model/catalogue.ts';
import type { Store } from '../../port.ts';
import { rowColumns } from '../../sql/columns.ts';
import { quote, statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import { Unavailable } from '../../unavailable.ts';
import { isSlow, OverloadError } from '../connection/errors.ts';
import type { Pool } from '../connection/pool.ts';

/** The reads that a replica can do. */
export type Reads = {
  readonly [K in 'get' | 'summarize' | 'list']: (
    ...asked: Parameters<Store[K]>
  ) => Promise<Awaited<ReturnType<Store[K]>>>;
};

/** Milliseconds between two checks of a replica that failed. */
const PAUSE = 1_000;

/** Reads every column that reads use, because a replica that lags behind may lack one. */
const lookAt = async (pool: Pool, catalogue: Catalogue): Promise<void> => {
  const texts = catalogue.map(
    (collection) => `SELECT ${rowColumns(collection).join(', ')} FROM ${quote(collection.name)} LIMIT 0`,
  );
  for (const sql of [readChange, ...texts]) await pool.read(({ rows }) => rows(statement(sql)));
};

/** Without a cause, as where too many lists are open, it is a limit of our own. */
const isFailure = (error: unknown): error is Unavailable =>
  error instanceof Unavailable && error.cause !== undefined && !(error.cause instanceof OverloadError);

/**
 * Reads on a replica, and where it fails, or does not have yet what is asked for, on the primary. One that failed is left
 * alone until it answers again.
 *
 * @param pool of the replica
 * @param report told once when it fails, and once when it answers again
 */
export const withReplica = (
  primary: Reads,
  replica: Reads,
  pool: Pool,
  catalogue: Catalogue,
  report: (line: string) => void,
): Reads & { readonly close: () => void } => {
  let isUp = true;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const lookAgain = (): void => {
    timer = setTimeout(async () => {
      try {
        await lookAt(pool, catalogue);
        isUp = true;
        if (!isClosed) report('the replica answers again');
      } catch {
        if (!isClosed) lookAgain();
      }
    }, PAUSE).unref();
  };
  const failed = (error: Unavailable): void => {
    if (!isUp || isClosed || isSlow(error)) return;
    isUp = false;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    report(`the replica does not answer (${reason}): the primary is asked instead`);
    lookAgain();
  };
  const either = async <T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> => {
    if (!isUp) return onPrimary();
    try {
      const found = await onReplica();
      if (found !== undefined) return found;
    } catch (error) {
      if (!isFailure(error)) throw error;
      failed(error);
    }
    return onPrimary();
  };
  return {
    get: (collection, keys, freshness) => {
      const latest = () => primary.get(collection, keys);
      return freshness === 'any' ? either(() => replica.get(collection, keys), latest) : latest();
    },
    summarize: (...asked) =>
      either(
        () => replica.summarize(...asked),
        () => primary.summarize(...asked),
      ),
    list: (...asked) =>
      either(
        () => replica.list(...asked),
        () => primary.list(...asked),
      ),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
};
