import type { Window } from '../../model/query.ts';
import type { Listing, Row } from '../port.ts';
import type { ListPlan } from '../sql/lists.ts';
import { tooManyLists, unavailable } from '../unavailable.ts';
import { type Connection, together } from './connection.ts';
import { isOutOfService } from './errors.ts';
import type { Pool } from './pool.ts';
import { begin, CHUNK, type Resolved } from './transactions.ts';

export interface Snapshots {
  readonly list: (plan: ListPlan, window: Window) => Promise<Listing | undefined>;
  /** Ends every list that is still being read. */
  readonly close: () => void;
}

const FETCH = (cursor: number): string => `FETCH ${CHUNK} FROM "list${cursor}"`;

/** Chunk by chunk; the next one is on its way while one is used. */
async function* chunksOf(connection: Connection, cursors: number): AsyncGenerator<readonly Row[], undefined> {
  for (let cursor = 0; cursor < cursors; cursor++) {
    let next = connection.fetch<Row>(FETCH(cursor));
    for (;;) {
      const rows = await next;
      if (rows.length === 0) break;
      const isLast = rows.length < CHUNK;
      if (!isLast) {
        next = connection.fetch<Row>(FETCH(cursor));
        // Told where it is waited for.
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
 * @param pool for them alone, so that readers who take their time keep nobody else waiting
 * @param most lists at one time
 */
export const snapshots = (pool: Pool, most: number): Snapshots => {
  /** How to end each list that is being read. */
  const open = new Set<() => void>();
  let opening = 0;

  /**
   * A list whose first chunk is there already: what cannot be read at all is told before an answer has begun.
   *
   * @param release gives the connection back, as often as it is called
   */
  const listing = async (
    connection: Connection,
    { total, change, statements }: Resolved,
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
          // Ended by somebody else: what was read so far must not pass for the whole.
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
      const resolved = await begin(connection, plan, window);
      if (!resolved) {
        await connection.exec('COMMIT');
        release(true);
        return undefined;
      }
      await together(
        resolved.statements.map((each, at) =>
          connection.rows({ ...each, sql: `DECLARE "list${at}" NO SCROLL CURSOR FOR ${each.sql}` }),
        ),
      );
      return listing(connection, resolved, release);
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
