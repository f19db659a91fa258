import type { Collection } from '../../model/catalogue.ts';
import { sentence } from '../../model/phrase.ts';
import { Problem } from '../../model/problem.ts';
import { type Query, windowOf } from '../../model/query.ts';
import { unavailable } from '../commit-queue.ts';
import type { Keys, Listing, Row, Summary } from '../port.ts';
import { countMatches, countPresent, readChange, type SqlOf, type Statement, selectRows } from '../sql.ts';
import { type Connection, inSnapshot } from './connection.ts';

/** Rows that are read in one go; longer lists are streamed in chunks of as many. */
const CHUNK = 500;
/** Lists streamed at one time: an open snapshot keeps the write-ahead log from shrinking. */
const STREAMS = 32;

const numberOf = (connection: Connection, { sql, values }: Statement): number =>
  connection.row<[number]>(sql, values)?.[0] ?? 0;

/** @returns the summary of a list in the connection's snapshot, or `undefined` where the item around it is missing */
export const summarize = (
  connection: Connection,
  sql: SqlOf,
  collection: Collection,
  parents: Keys,
  query: Query,
): Summary | undefined => {
  const { parent } = collection;
  if (parent && !connection.row(sql(parent).get, parents)) return undefined;
  return {
    total: numberOf(connection, countMatches(collection, parents, query)),
    change: numberOf(connection, { sql: readChange, values: [] }),
  };
};

interface Plan extends Summary {
  /** How many rows the window holds. */
  readonly count: number;
  /** Their statements, to run one after the other in the same snapshot. */
  readonly statements: readonly Statement[];
}

const plan = (
  connection: Connection,
  sql: SqlOf,
  collection: Collection,
  parents: Keys,
  query: Query,
): Plan | undefined => {
  const summary = summarize(connection, sql, collection, parents, query);
  if (!summary) return undefined;
  const { offset, limit } = windowOf(query);
  const count = Math.max(0, Math.min(limit, summary.total - offset));
  if (count === 0) return { ...summary, count, statements: [] };
  const present = countPresent(collection, parents, query);
  const presentCount = present && numberOf(connection, present);
  const statements = selectRows(collection, parents, query, presentCount, { offset, limit: count });
  return { ...summary, count, statements };
};

function* chunksOf(rows: Iterable<Row>): Generator<readonly Row[], undefined> {
  let chunk: Row[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length === CHUNK) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

function* rowsOf(connection: Connection, statements: readonly Statement[]): Generator<Row> {
  for (const statement of statements) yield* connection.iterate<Row>(statement);
}

/** An iterator that tells, once, when it is over for whatever reason, even if it was never begun. */
const withEnd = <T>(inner: Iterator<T, undefined>, onEnd: () => void): Iterator<T, undefined> => {
  let isOver = false;
  const end = (): IteratorReturnResult<undefined> => {
    if (!isOver) {
      isOver = true;
      inner.return?.();
      onEnd();
    }
    return { done: true, value: undefined };
  };
  return {
    next: () => {
      // Ended by somebody else: what was read so far must not pass for the whole.
      if (isOver) throw unavailable(new Error('the list was ended'));
      try {
        const result = inner.next();
        return result.done ? end() : result;
      } catch (error) {
        end();
        throw error;
      }
    },
    return: end,
  };
};

interface Lists {
  readonly list: (collection: Collection, parents: Keys, query: Query) => Listing | undefined;
  readonly close: () => void;
}

/**
 * Reads lists: short ones at once on the main connection, long ones from a snapshot that a connection of their own
 * holds while writes go on beside it.
 *
 * @param main the store's own connection
 * @param openReader opens another one onto the same database; without it (`:memory:`, which no second connection can
 *   see) a long list is read whole, which copies what is in memory anyway
 */
export const listReader = (main: Connection, sql: SqlOf, openReader: (() => Connection) | undefined): Lists => {
  const idle: Connection[] = [];
  /** Connections whose snapshot is held, and how to end it. */
  const busy = new Map<Connection, () => void>();
  const readAtOnce = openReader ? CHUNK : Infinity;

  const stream = (open: () => Connection, collection: Collection, parents: Keys, query: Query): Listing | undefined => {
    if (busy.size >= STREAMS) throw new Problem('unavailable', sentence('streams-exhausted', {}));
    const connection = idle.pop() ?? open();
    const giveBack = (): void => {
      busy.delete(connection);
      connection.exec('COMMIT');
      idle.push(connection);
    };
    try {
      connection.exec('BEGIN');
      const planned = plan(connection, sql, collection, parents, query);
      if (!planned) {
        giveBack();
        return undefined;
      }
      const { total, change, statements } = planned;
      const chunks = withEnd(chunksOf(rowsOf(connection, statements)), giveBack);
      busy.set(connection, () => chunks.return?.());
      return { total, change, chunks, long: true };
    } catch (error) {
      connection.close();
      throw error;
    }
  };

  return {
    list: (collection, parents, query) => {
      const found = inSnapshot(main, () => {
        const planned = plan(main, sql, collection, parents, query);
        if (!planned) return undefined;
        const { total, change, count, statements } = planned;
        const rows = count > readAtOnce ? undefined : statements.flatMap((statement) => main.rows<Row>(statement));
        return { total, change, rows };
      });
      if (!found) return undefined;
      const { rows, ...summary } = found;
      if (!rows) return openReader && stream(openReader, collection, parents, query);
      return { ...summary, chunks: chunksOf(rows), long: rows.length > CHUNK };
    },
    close: () => {
      for (const end of busy.values()) end();
      for (const connection of idle.splice(0)) connection.close();
    },
  };
};
