import { perCollection } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import type { Cursor, Window } from '../../gateway/model/query.ts';
import type { Caller, CallerOf, ListSummary, ReadPlan, ReadResult, Row } from '../../gateway/port/port.ts';
import { iterateChunks } from '../../util/iterate-chunks.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import { resultWithIncluded, selectItem } from '../sql/items.ts';
import {
  endStatements,
  type ItemPlan,
  type ListPlan,
  type ListSql,
  SMALL,
  type SqlPlan,
  windowStatements,
  withNext,
} from '../sql/lists.ts';
import type { Statement } from '../sql/statement.ts';
import { type Connection, mapErrors } from './connection.ts';
import { type RowCacheOptions, withRowCache } from './row-cache.ts';

/** A list in the connection's snapshot, with the number of rows in the window and the statements that read them. */
interface OpenList extends ListSummary {
  readonly count: number;
  readonly nextCursor?: Cursor | undefined;
  readonly statements: readonly Statement[];
}

export const NO_ROWS: Window = { offset: 0, limit: 0 };

/** @returns the list with its rows unread, or `undefined` if its parent is missing */
export function openList(connection: Connection, sql: ListSql, { offset, limit }: Window): OpenList | undefined {
  if (sql.parent && connection.rows(sql.parent).length === 0) return undefined;
  const summary = { total: connection.number(sql.total), change: connection.number(sql.change) };
  const count = Math.max(0, Math.min(limit, summary.total - offset));
  if (count === 0) return { ...summary, count, statements: [] };
  const present = sql.present ? connection.number(sql.present) : 0;
  const [last, following] = endStatements(sql, { offset, limit }, present).flatMap((each) =>
    connection.rows<Cell[]>(each),
  );
  const statements = windowStatements(sql, { offset, limit: count }, present);
  return { ...summary, count, nextCursor: following && last, statements };
}

async function* iterateAsync<T>(values: Iterable<T>): AsyncGenerator<T, undefined> {
  yield* values;
}

export type ListRead = Pick<ListPlan, 'sql' | 'cost' | 'shape' | 'window'>;

interface ReadsOptions extends Pick<RowCacheOptions, 'reader' | 'catalogue'> {
  /** Reads what one turn of the event loop has no time for. No other connection can read a database in memory. */
  readonly long: { readonly read: (list: ListRead, caller?: Caller) => Promise<ReadResult | undefined> } | undefined;
  readonly cacheBytes: number;
}

/** The one way for all reads: the plan says which reader it takes. */
export class Reads {
  readonly #reader: Connection;
  readonly #long: ReadsOptions['long'];
  readonly #readItem: (plan: ItemPlan) => ReadResult | undefined;

  constructor({ reader, catalogue, long, cacheBytes }: ReadsOptions) {
    const select = perCollection(catalogue, selectItem);
    const readItem = ({ collection, keys, including }: ItemPlan): ReadResult | undefined => {
      if (including) return resultWithIncluded(reader.row<Cell[]>(including.sql, keys));
      const row = reader.row<Row>(select(collection), keys);
      return row && { total: 1, change: row[0], rows: [row] };
    };
    this.#reader = reader;
    this.#long = long;
    this.#readItem = cacheBytes > 0 ? withRowCache(readItem, { reader, catalogue, capacity: cacheBytes }) : readItem;
  }

  readonly read = (request: ReadPlan, caller?: CallerOf): MaybePromise<ReadResult | undefined> =>
    mapErrors(() => {
      const plan = request as SqlPlan;
      if (plan.shape === 'item') return this.#readItem(plan);
      return andThen(this.#readList(plan, caller), (list) => list && withNext(plan, list));
    });

  summarize(plan: ReadPlan, caller?: CallerOf): MaybePromise<ListSummary | undefined> {
    const list = this.read({ ...plan, shape: 'page', window: NO_ROWS } as ListPlan, caller);
    return andThen(list, (rows) => rows && { total: rows.total, change: rows.change });
  }

  /** @returns whether reading all rows of a list costs no more than an index */
  readonly isSmall = ({ size }: ListSql): boolean => mapErrors(() => this.#reader.number(size)) <= SMALL;

  #readList(list: ListRead, caller?: CallerOf): MaybePromise<ReadResult | undefined> {
    const [reader, long] = [this.#reader, this.#long];
    if (long && list.cost === 'scan') return long.read(list, caller?.());
    const short = reader.inSnapshot(() => {
      const open = openList(reader, list.sql, list.window);
      if (!open || (long && open.count > list.sql.chunk)) return open && 'long';
      const { total, change, nextCursor, statements } = open;
      const rows = statements.flatMap((each) => reader.rows<Row>(each));
      const { chunk } = list.sql;
      const rest = rows.length > chunk ? iterateAsync(iterateChunks(rows.slice(chunk), chunk)) : undefined;
      return { total, change, nextCursor, rows: rows.slice(0, chunk), rest };
    });
    return short === 'long' ? long?.read(list, caller?.()) : short;
  }
}
