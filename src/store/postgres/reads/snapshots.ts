import type { Chunks, Found, Row } from '../../../gateway/port/port.ts';
import { unavailable } from '../../../gateway/port/unavailable.ts';
import type { ListPlan } from '../../sql/lists/read-plan.ts';
import { endEarly } from '../connection/cancel.ts';
import { type Connection, settleAll } from '../connection/connection.ts';
import { toUnavailable } from '../connection/errors.ts';
import type { AcquiredConnection, Pool } from '../connection/pool.ts';
import { declareCursor, fetchChunks } from './cursors.ts';
import { beginList, type ListInSnapshot } from './list-reads.ts';

async function* chunksOf(
  connection: Connection,
  cursors: number,
  size: number,
): AsyncGenerator<readonly Row[], undefined> {
  for (let at = 0; at < cursors; at++) yield* fetchChunks<Row>(connection, `list${at}`, size);
}

/**
 * Reads the first chunk at once, so that a list that cannot be read fails before its response has begun.
 *
 * @returns the list, which releases its connection when it is over
 */
const foundIn = async (
  { connection, release, cancel }: AcquiredConnection,
  { total, change, next: position, statements }: ListInSnapshot,
  chunk: number,
): Promise<Found> => {
  const chunks = chunksOf(connection, statements.length, chunk);
  const { value: rows = [] } = await chunks.next();
  let isOver = false;

  const end = async (): Promise<IteratorReturnResult<undefined>> => {
    if (!isOver) {
      isOver = true;
      const committed = connection.exec('COMMIT');
      // The next chunk may be on its way.
      void endEarly(committed, cancel);
      await committed.then(
        () => release(true),
        () => release(false),
      );
    }
    return { done: true, value: undefined };
  };
  const next: Chunks['next'] = async () => {
    // The rows read so far must not pass for the whole list.
    if (isOver) throw unavailable(new Error('the list was ended'));
    try {
      const read = await chunks.next();
      return read.done ? await end() : read;
    } catch (error) {
      if (!isOver) release(false);
      isOver = true;
      throw toUnavailable(error);
    }
  };
  return { total, change, rows, next: position, rest: { next, return: end } };
};

/**
 * Opens a long list in its own transaction, on its own connection.
 *
 * @param pool for these lists only, so that slow readers do not keep other requests waiting
 * @returns `undefined` where the list's parent is missing
 */
export const openSnapshot = (pool: Pool, plan: ListPlan, signal: AbortSignal | undefined): Promise<Found | undefined> =>
  pool.hold(async (held) => {
    const { connection, release } = held;
    const list = await beginList(connection, plan);
    if (!list) {
      await connection.exec('COMMIT');
      release(true);
      return undefined;
    }
    await settleAll(list.statements.map((each, at) => declareCursor(connection, `list${at}`, each)));
    return foundIn(held, list, plan.sql.chunk);
  }, signal);
