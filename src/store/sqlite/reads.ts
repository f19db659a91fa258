import { type Catalogue, perCollection } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import type { Position, Window } from '../../gateway/model/query.ts';
import type { Caller, CallerOf, Found, ListSummary, ReadPlan, Row } from '../../gateway/port/port.ts';
import { chunksOf } from '../../util/chunks-of.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import { foundIncluding, selectItem } from '../sql/items.ts';
import type { ListSql } from '../sql/list-sql.ts';
import {
  endStatements,
  type ItemPlan,
  type ListPlan,
  type SqlPlan,
  windowStatements,
  withNext,
} from '../sql/read-plan.ts';
import type { Statement } from '../sql/statement.ts';
import type { Streams } from '../streams.ts';
import { type Connection, inSnapshot, numberOf } from './connection.ts';
import { withRowCache } from './row-cache.ts';

/** One way for all reads: the plan says which reader it takes. */

/** A list in the connection's snapshot, with the number of rows in the window and the statements that read them. */
interface Resolved extends ListSummary {
  readonly count: number;
  readonly next?: Position | undefined;
  readonly statements: readonly Statement[];
}

/** The window of a list of which only the summary is wanted. */
export const NO_ROWS: Window = { offset: 0, limit: 0 };

/** @returns the list with its rows unread, or `undefined` where its parent is missing */
export const resolve = (connection: Connection, sql: ListSql, { offset, limit }: Window): Resolved | undefined => {
  const { parent } = sql;
  if (parent && !connection.row(parent.sql, parent.values)) return undefined;
  const summary = { total: numberOf(connection, sql.total), change: numberOf(connection, sql.change) };
  const count = Math.max(0, Math.min(limit, summary.total - offset));
  if (count === 0) return { ...summary, count, statements: [] };
  const present = sql.present ? numberOf(connection, sql.present) : 0;
  const [last, following] = endStatements(sql, { offset, limit }, present).flatMap((each) =>
    connection.rows<Cell[]>(each),
  );
  const statements = windowStatements(sql, { offset, limit: count }, present);
  return { ...summary, count, next: following && last, statements };
};

/** What decides how a list is read. */
export type ListRead = Pick<ListPlan, 'sql' | 'cost' | 'shape' | 'window'>;
type ReadList = (list: ListRead, caller?: Caller) => Promise<Found | undefined>;

/** Reads what one turn of the event loop has no time for. */
export interface LongReads {
  /** A list with an index: in chunks between other requests. */
  readonly inChunks: ReadList;
  /** A list that reads every row. A database in memory, which no other connection can read, has no thread for it. */
  readonly onThread?: ReadList;
  readonly endAll: Streams['endAll'];
  readonly close: () => Promise<void>;
}

interface Readers {
  /** The store's own connection. */
  readonly reader: Connection;
  readonly catalogue: Catalogue;
  /** Does work on the database. */
  readonly use: <T>(work: () => T) => T;
  readonly long: LongReads;
  /** Bytes of rows of items that are kept in memory. */
  readonly cacheBytes: number;
}

/** Of a list only its numbers. */
const SUMMARY = { shape: 'page', window: NO_ROWS } as const;

export const readsOf = ({ reader, catalogue, use, long, cacheBytes }: Readers) => {
  const select = perCollection(catalogue, selectItem);

  const readStored = ({ collection, keys, including }: ItemPlan): Found | undefined => {
    if (including) return foundIncluding(reader.row<Cell[]>(including.sql, keys));
    const row = reader.row<Row>(select(collection), keys);
    return row && { total: 1, change: row[0], rows: [row] };
  };
  const readItem = cacheBytes > 0 ? withRowCache(readStored, { reader, catalogue, capacity: cacheBytes }) : readStored;
  /** Reads a list in one go; `rows` is `undefined` where there are too many. */
  const readAtOnce = ({ sql, window }: ListRead) =>
    inSnapshot(reader, () => {
      const found = resolve(reader, sql, window);
      if (!found) return undefined;
      const { total, change, count, statements } = found;
      const rows = count > sql.chunk ? undefined : statements.flatMap((each) => reader.rows<Row>(each));
      return { total, change, rows };
    });
  const readList = (list: ListRead, caller?: CallerOf): MaybePromise<Found | undefined> => {
    if (long.onThread && list.cost === 'scan') return long.onThread(list, caller?.());
    const found = readAtOnce(list);
    if (!found) return undefined;
    const { rows, ...summary } = found;
    return rows ? { ...summary, rows } : long.inChunks(list, caller?.());
  };
  return {
    read: (asked: ReadPlan, caller?: CallerOf): MaybePromise<Found | undefined> =>
      use(() => {
        const plan = asked as SqlPlan;
        if (plan.shape === 'item') return readItem(plan);
        return andThen(readList(plan, caller), (found) => found && withNext(plan, found));
      }),
    summarize: (asked: ReadPlan, caller?: CallerOf): MaybePromise<ListSummary | undefined> =>
      use(() =>
        andThen(
          readList({ ...(asked as ListPlan), ...SUMMARY }, caller),
          (found) => found && { total: found.total, change: found.change },
        ),
      ),
    count: (list: Pick<ListRead, 'sql' | 'cost'>): MaybePromise<number> =>
      use(() => andThen(readList({ ...list, ...SUMMARY }), (found) => found?.total ?? 0)),
  };
};

/** Lists that are read in chunks, each from a snapshot on a connection of its own, while writes go on. */

/** What was read on the calling thread. */
export interface SyncFound extends Omit<Found, 'rest'> {
  readonly rest?: Iterator<readonly Row[], undefined> | undefined;
}

function* rowsOf(connection: Connection, statements: readonly Statement[]): Generator<Row> {
  for (const each of statements) yield* connection.iterate<Row>(each);
}

/**
 * Yields the chunks of a list, each with what is known of the whole; none where its parent is missing.
 *
 * @param onEnd called at the end, also where it fails or is returned early
 */
function* chunksIn(connection: Connection, sql: ListSql, window: Window, onEnd: (isSound: boolean) => void) {
  let isSound = true;
  try {
    connection.exec('BEGIN');
    const found = resolve(connection, sql, window);
    if (!found) return;
    const { statements, ...whole } = found;
    if (whole.count === 0) yield { ...whole, rows: [] };
    for (const rows of chunksOf(rowsOf(connection, statements), sql.chunk)) yield { ...whole, rows };
  } catch (error) {
    isSound = false;
    throw error;
  } finally {
    onEnd(isSound);
  }
}

/**
 * Reading connections, each with one snapshot at a time, while writes go on.
 *
 * @param open opens a connection, which later lists use again
 */
export const snapshots = (open: () => Connection) => {
  const idle: Connection[] = [];
  return {
    /** @returns a list, whose snapshot stays open until its rest was read, or returned */
    read: (sql: ListSql, window: Window): SyncFound | undefined => {
      const connection = idle.pop() ?? open();
      const chunks = chunksIn(connection, sql, window, (isSound) => {
        // A statement that failed halfway would fail again.
        if (!isSound) return connection.close();
        connection.exec('COMMIT');
        idle.push(connection);
      });
      const first = chunks.next().value;
      if (!first) return undefined;
      const { count, ...found } = first;
      if (count > sql.chunk) return { ...found, rest: chunks.map(({ rows }) => rows) };
      chunks.return(undefined);
      return found;
    },
    /** Closes the connections that no list has. */
    close: (): void => {
      for (const connection of idle.splice(0)) connection.close();
    },
  };
};
