import type { Window } from '../../model/query.ts';
import type { Listing, Row } from '../port.ts';
import type { ListPlan } from '../sql/lists.ts';
import { tooManyLists, unavailable } from '../unavailable.ts';
import { type Connection, together } from './connection.ts';
import { isOutOfService } from './errors.ts';
import { beginList, CHUNK, type ListInSnapshot } from './lists.ts';
import type { Pool } from './pool.ts';

export interface Snapshots {
  readonly list: (plan: ListPlan, window: Window) => Promise<Listing | undefined>;
  /** Ends every list that is still being read. */
  readonly close: () => void;
}

const FETCH = (cursor: number): string => `FETCH ${CHUNK} FROM "list${cursor}"`;

/** Each chunk is requested while the one before it is used. */
async function* chunksOf(connection: Connection, cursors: number): AsyncGenerator<readonly Row[], undefined> {
  for (let cursor = 0; cursor < cursors; cursor++) {
    let next = connection.fetch<Row>(FETCH(cursor));
    for (;;) {
      const rows = await next;
      if (rows.length === 0) break;
      const isLast = rows.length < CHUNK;
      if (!isLast) {
        next = connection.fetch<Row>(FETCH(cursor));
        // Thrown where it is awaited.
        next.catch(() => {});
      }
      yield rows;
      if (isLast) break;
    }
  }
}

/**
 * Long lists, each in a transaction of its own on a connection of its own.
 *
 * @param pool for these lists only, so that slow readers do not keep other requests waiting
 * @param most the number of lists at one time
 */
export const snapshots = (pool: Pool, most: number): Snapshots => {
  /** What ends each list that is being read. */
  const open = new Set<() => void>();
  let opening = 0;

  /**
   * Reads the first chunk already, so that a list that cannot be read at all fails before its response has begun.
   *
   * @param release returns the connection to the pool; later calls do nothing
   */
  const listing = async (
    connection: Connection,
    { total, change, statements }: ListInSnapshot,
    release: (isSound: boolean) => void,
  ): Promise<Listing> => {
    const chunks = chunksOf(connection, statements.length);
    let first: Promise<IteratorResult<readonly Row[], undefined>> | undefined = chunks.next();
    await first;
    let isOver = false;
    const finish = (isSound: boolean): void => {
      isOver = true;
      open.delete(abort);
      release(isSound);
    };
    const abort = (): void => finish(false);
    open.add(abort);

    const end = async (): Promise<IteratorReturnResult<undefined>> => {
      if (!isOver) {
        isOver = true;
        await connection.exec('COMMIT').then(
          () => finish(true),
          () => finish(false),
        );
      }
      return { done: true, value: undefined };
    };
    return {
      total,
      change,
      long: true,
      chunks: {
        next: async () => {
          // Ended by `close`: the rows read so far must not be taken for the whole list.
          if (isOver) throw unavailable(new Error('the list was ended'));
          try {
            const read = await (first ?? chunks.next());
            first = undefined;
            return read.done ? await end() : read;
          } catch (error) {
            if (!isOver) abort();
            throw isOutOfService(error) ? unavailable(error) : error;
          }
        },
        return: end,
      },
    };
  };

  const openOne = (plan: ListPlan, window: Window): Promise<Listing | undefined> =>
    pool.hold(async ({ connection, release }) => {
      const list = await beginList(connection, plan, window);
      if (!list) {
        await connection.exec('COMMIT');
        release(true);
        return undefined;
      }
      await together(
        list.statements.map((each, at) =>
          connection.rows({ ...each, sql: `DECLARE "list${at}" NO SCROLL CURSOR FOR ${each.sql}` }),
        ),
      );
      return listing(connection, list, release);
    });

  return {
    list: async (plan, window) => {
      if (open.size + opening >= most) throw tooManyLists();
      opening++;
      try {
        return await openOne(plan, window);
      } finally {
        opening--;
      }
    },
    close: () => {
      for (const abort of open) abort();
    },
  };
};
