import { type Catalogue, perCollection } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import type { Position, Window } from '../../gateway/model/query.ts';
import type { Caller, CallerOf, Found, ListSummary, ReadPlan, Row } from '../../gateway/port/port.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import { foundIncluding, selectItem } from '../sql/items.ts';
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
import { withRowCache } from './row-cache.ts';

/** A list in the connection's snapshot, with the number of rows in the window and the statements that read them. */
interface OpenList extends ListSummary {
  readonly count: number;
  readonly next?: Position | undefined;
  readonly statements: readonly Statement[];
}

/** The window of a list of which only the summary is wanted. */
export const NO_ROWS: Window = { offset: 0, limit: 0 };
const SUMMARY = { shape: 'page', window: NO_ROWS } as const;

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
  return { ...summary, count, next: following && last, statements };
}

/** What decides how a list is read. */
export type ListRead = Pick<ListPlan, 'sql' | 'cost' | 'shape' | 'window'>;
type ReadList = (list: ListRead, caller?: Caller) => Promise<Found | undefined>;

/** Reads what one turn of the event loop has no time for. */
export interface LongReads {
  /** Reads a list with an index, in chunks between other requests. */
  readonly inChunks: ReadList;
  /** Reads a list that scans every row. A database in memory, which no other connection can read, has no thread for it. */
  readonly onThread?: ReadList;
  readonly endAll: (reason: string) => number;
  readonly close: () => Promise<void>;
}

interface ReadsOptions {
  /** The store's own connection. */
  readonly reader: Connection;
  readonly catalogue: Catalogue;
  readonly long: LongReads;
  /** Bytes of rows of items that are kept in memory. */
  readonly cacheBytes: number;
}

/** The one way for all reads: the plan says which reader it takes. */
export class Reads {
  readonly #reader: Connection;
  readonly #long: LongReads;
  readonly #readItem: (plan: ItemPlan) => Found | undefined;

  constructor({ reader, catalogue, long, cacheBytes }: ReadsOptions) {
    const select = perCollection(catalogue, selectItem);
    const readItem = ({ collection, keys, including }: ItemPlan): Found | undefined => {
      if (including) return foundIncluding(reader.row<Cell[]>(including.sql, keys));
      const row = reader.row<Row>(select(collection), keys);
      return row && { total: 1, change: row[0], rows: [row] };
    };
    this.#reader = reader;
    this.#long = long;
    this.#readItem = cacheBytes > 0 ? withRowCache(readItem, { reader, catalogue, capacity: cacheBytes }) : readItem;
  }

  readonly read = (request: ReadPlan, caller?: CallerOf): MaybePromise<Found | undefined> =>
    mapErrors(() => {
      const plan = request as SqlPlan;
      if (plan.shape === 'item') return this.#readItem(plan);
      return andThen(this.#readList(plan, caller), (list) => list && withNext(plan, list));
    });

  summarize(list: Pick<ListRead, 'sql' | 'cost'>, caller?: CallerOf): MaybePromise<ListSummary | undefined> {
    return mapErrors(() =>
      andThen(
        this.#readList({ ...list, ...SUMMARY }, caller),
        (found) => found && { total: found.total, change: found.change },
      ),
    );
  }

  /** @returns whether reading all rows of a list costs no more than an index */
  readonly isSmall = ({ size }: ListSql): boolean => mapErrors(() => this.#reader.number(size)) <= SMALL;

  #readList(list: ListRead, caller?: CallerOf): MaybePromise<Found | undefined> {
    const { sql, window } = list;
    if (this.#long.onThread && list.cost === 'scan') return this.#long.onThread(list, caller?.());
    const reader = this.#reader;
    const short = reader.inSnapshot(() => {
      const open = openList(reader, sql, window);
      if (!open) return undefined;
      const { total, change, count, statements } = open;
      return {
        total,
        change,
        rows: count > sql.chunk ? undefined : statements.flatMap((each) => reader.rows<Row>(each)),
      };
    });
    if (!short) return undefined;
    const { rows, ...summary } = short;
    return rows ? { ...summary, rows } : this.#long.inChunks(list, caller?.());
  }
}
