import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import type { Intent, Outcome } from '../../../gateway/port/port.ts';
import { applyIntent } from '../../apply.ts';
import { openChangeSet, PAUSE } from '../../change-set.ts';
import type { Commit } from '../../commit-queue.ts';
import { statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import { type BatchStatement, type Connection, settleAll } from '../connection/connection.ts';
import {
  asUnavailable,
  isOutOfService,
  isRefused,
  isReported,
  isTimeLimit,
  isUnprepared,
} from '../connection/errors.ts';
import type { Pool } from '../connection/pool.ts';
import { batchesOf } from './batch.ts';
import { type LockTimes, WAITED } from './lock-times.ts';
import { quickCreates } from './quick-creates.ts';
import { restWrites } from './rest-writes.ts';

/** The lock of all writers: whichever instance holds this row writes, and sees what the one before it has written. */
export const LOCK_CHANGE = statement(`SELECT "number", ${WAITED} FROM (${readChange} FOR UPDATE) AS "_locked"`);

/** What became of a transaction whose `COMMIT` was sent. */
type End = { readonly kind: 'committed' } | { readonly kind: 'rolled back' | 'unknown'; readonly error: unknown };

/** @param writes are sent with the `COMMIT`, which rolls back, and says so, where one of them failed */
export const commit = async (connection: Connection, writes: readonly BatchStatement[]): Promise<End> => {
  const sent = writes.map((each) => connection.rows(each));
  const committing = connection.exec('COMMIT');
  const failed = (await Promise.allSettled(sent)).find((each) => each.status === 'rejected');
  const [end] = await Promise.allSettled([committing]);
  if (end.status === 'rejected') {
    return { kind: isRefused(end.reason) ? 'rolled back' : 'unknown', error: end.reason };
  }
  if (end.value === 'COMMIT' && !failed) return { kind: 'committed' };
  const error: unknown = failed?.reason ?? new Error(`${end.value} instead of COMMIT`);
  return { kind: end.value === 'ROLLBACK' ? 'rolled back' : 'unknown', error };
};

/**
 * Commits many intents in one transaction and two round trips: begin, lock and read; write and commit. The outcomes are
 * decided in between, in memory. Creates may need only one round trip (see `quick-creates.ts`).
 *
 * READ COMMITTED is enough: nothing is read before the lock is held, and each statement after it sees all that was
 * committed before.
 */
export const committer = (pool: Pool, catalogue: Catalogue, times: LockTimes): Commit => {
  const batches = batchesOf(catalogue);
  const quick = quickCreates(catalogue, batches);
  /** When the last commit began: only after it no pause is to be kept, which quick creates do not. */
  let wrote = Number.NEGATIVE_INFINITY;
  /** All of them in one transaction, or none. @returns `undefined` where that was given up, by the signal, before anything was written */
  const commitTogether = async (
    intents: readonly Intent[],
    signal: AbortSignal,
  ): Promise<readonly Outcome[] | undefined> => {
    let isUnknown = false;
    const begin = async (connection: Connection) => {
      const asked = performance.now();
      const [, [[last, waited] = [0, 0]], batch] = await settleAll([
        connection.begin(),
        connection.rows<[number, number]>(LOCK_CHANGE),
        batches.readFor(connection, intents),
      ]);
      times.hadLock(asked, waited);
      return { last, ...batch };
    };
    /** @returns `undefined` where nothing is written, because one statement cannot do it */
    const createQuickly = async (connection: Connection): Promise<readonly Outcome[] | undefined> => {
      // Other clients share a pooler's sessions, so there a transaction must bring its limits.
      const mayBeQuick = connection.isLimited && performance.now() - wrote < PAUSE / 2;
      const creates = mayBeQuick ? quick(intents) : undefined;
      if (!creates) return undefined;
      try {
        const asked = performance.now();
        const [written] = await connection.rows<[number, number]>(creates.statement);
        if (!written) return undefined;
        const [before, waited] = written;
        times.hadLock(asked, waited);
        return creates.outcomes(before);
      } catch (error) {
        if (isRefused(error)) return undefined;
        isUnknown = !isUnprepared(error) && !isTimeLimit(error);
        throw isUnknown && !isOutOfService(error) ? asUnavailable(error) : error;
      }
    };
    const work = async (connection: Connection): Promise<readonly Outcome[]> => {
      const begun = performance.now();
      const created = await createQuickly(connection);
      if (created) {
        wrote = begun;
        return created;
      }
      const { last, rows, writes } = await begin(connection).catch(async (error: unknown) => {
        if (isReported(error)) await connection.exec('ROLLBACK').catch(() => {});
        throw error;
      });
      const changeSet = openChangeSet(last, Date.now(), Number.isFinite(wrote) ? PAUSE : 0);
      const outcomes = intents.map((intent) => applyIntent(catalogue, rows, intent, changeSet));
      const end = await commit(connection, [...writes(), ...restWrites(changeSet)]);
      if (end.kind === 'committed') {
        // An update that changes nothing takes no number.
        if (changeSet.lastChange() !== undefined) wrote = begun;
        return outcomes;
      }
      isUnknown = end.kind === 'unknown';
      throw isUnknown ? asUnavailable(end.error) : end.error;
    };
    // A commit whose outcome is unknown is never tried again: it may have been done.
    return pool.use(work, { mayRetry: () => !isUnknown, signal }).catch((error: unknown) => {
      if (signal.aborted && !isUnknown) return undefined;
      throw error;
    });
  };
  return (intents, patience) => commitTogether(intents, AbortSignal.timeout(patience)).finally(times.end);
};
