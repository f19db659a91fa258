import type { Found, Row } from '../../../gateway/port/port.ts';
import type { ListPlan } from '../../sql/read-plan.ts';
import { settleAll } from '../connection/connection.ts';
import { toUnavailable } from '../connection/errors.ts';
import { type AcquiredConnection, endEarly, type Pool } from '../connection/pool.ts';
import { declareCursor, fetchChunks } from './cursors.ts';
import { beginList, type ListInSnapshot } from './list-reads.ts';

/** Yields the rows of all statements; ends the transaction then, or where it fails or is returned, and releases the connection. */
async function* chunksOf(
  { connection, release }: AcquiredConnection,
  statements: number,
  size: number,
): AsyncGenerator<readonly Row[], undefined> {
  try {
    for (let at = 0; at < statements; at++) yield* fetchChunks<Row>(connection, `list${at}`, size);
  } finally {
    await connection.exec('COMMIT').then(
      () => release(true),
      () => release(false),
    );
  }
}

/** Reads the first chunk at once, so that a list that cannot be read fails before its response has begun. */
const foundIn = async (
  held: AcquiredConnection,
  { total, change, next, statements }: ListInSnapshot,
  chunk: number,
): Promise<Found> => {
  const chunks = chunksOf(held, statements.length, chunk);
  const { value: rows = [] } = await chunks.next();
  const end = (): ReturnType<typeof chunks.return> => {
    const ended = chunks.return(undefined);
    // The next chunk may be on its way.
    void endEarly(ended, held);
    return ended;
  };
  const nextChunk = (): ReturnType<typeof chunks.next> =>
    chunks.next().catch((error: unknown) => {
      throw toUnavailable(error);
    });
  return { total, change, rows, next, rest: { next: nextChunk, return: end } };
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
