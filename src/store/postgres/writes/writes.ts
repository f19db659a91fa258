import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import type { Intent, Outcome } from '../../../gateway/port/port.ts';
import { abandoned } from '../../../gateway/port/unavailable.ts';
import { applyIntent } from '../../apply.ts';
import { openChangeSet, PAUSE } from '../../change-set.ts';
import type { Commit } from '../../commit-queue.ts';
import { statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import { type BatchStatement, type Connection, settleAll } from '../connection/connection.ts';
import { asUnavailable, isRefused, isReported } from '../connection/errors.ts';
import type { Pool } from '../connection/pool.ts';
import { batchReader } from './batch.ts';
import { restWrites } from './rest-writes.ts';

/** The lock of all writers: whichever instance holds this row writes, and sees what the one before it has written. */
export const LOCK_CHANGE = statement(`${readChange} FOR UPDATE`);

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
 * decided in between, in memory.
 *
 * READ COMMITTED is enough: nothing is read before the lock is held, and each statement after it sees all that was
 * committed before.
 */
export function committer(pool: Pool, catalogue: Catalogue): Commit {
  const readBatch = batchReader(catalogue);
  /** Whether this process has committed a change, so that a pause in the change numbers is one of this database. */
  let hasWritten = false;

  /** Locks the writers' row, and reads what the outcomes depend on. */
  async function begin(connection: Connection, intents: readonly Intent[]) {
    try {
      const [, [[last] = [0]], batch] = await settleAll([
        connection.begin(),
        connection.rows<[number]>(LOCK_CHANGE),
        readBatch(connection, intents),
      ]);
      return { last, ...batch };
    } catch (error) {
      if (isReported(error)) await connection.exec('ROLLBACK').catch(() => {});
      throw error;
    }
  }
  return async (intents, patience) => {
    let isUnknown = false;
    let hasLock = false;
    const waiting = new AbortController();
    const { signal } = waiting;
    // With the lock nothing is given up: whether a COMMIT was done that is abandoned is not known.
    const timer = setTimeout(() => hasLock || waiting.abort(), patience);
    const work = async (connection: Connection): Promise<readonly Outcome[]> => {
      hasLock = false;
      const { last, rows, writes } = await begin(connection, intents);
      if (signal.aborted) throw abandoned();
      hasLock = true;
      const changeSet = openChangeSet(last, Date.now(), hasWritten ? PAUSE : 0);
      const outcomes = intents.map((intent) => applyIntent(catalogue, rows, intent, changeSet));
      const end = await commit(connection, [...writes(), ...restWrites(changeSet)]);
      if (end.kind === 'committed') {
        // An update that changes nothing takes no number.
        hasWritten ||= changeSet.lastChange() !== undefined;
        return outcomes;
      }
      isUnknown = end.kind === 'unknown';
      throw isUnknown ? asUnavailable(end.error) : end.error;
    };
    try {
      // A commit whose outcome is unknown is never tried again: it may have been done.
      return await pool.use(work, { mayRetry: () => !isUnknown, signal });
    } catch (error) {
      // It was given up before anything was written.
      if (signal.aborted && !isUnknown) return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
