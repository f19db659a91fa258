import { type Catalogue, type Collection, keyIds, perCollection } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import { keyId, type Window } from '../../gateway/model/query.ts';
import type { Caller, CallerOf, ListSummary, ReadPlan, ReadRequest, ReadResult, Row } from '../../gateway/port/port.ts';
import { iterateChunks } from '../../util/iterate-chunks.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import { changedKeysSince, resultWithIncluded, selectItem } from '../sql/items.ts';
import {
  endStatements,
  type ItemPlan,
  type ListPlan,
  type ListSql,
  planRead,
  SMALL,
  type SqlOptions,
  type SqlPlan,
  windowStatements,
  withNext,
} from '../sql/lists.ts';
import { sqliteSearch } from '../sql/selections.ts';
import { sqlite, statement } from '../sql/statement.ts';
import { readChange } from '../sql/system-tables.ts';
import { type Connection, mapErrors, READ_VERSION } from './connection.ts';

const NO_ROWS: Window = { offset: 0, limit: 0 };

export function openList(connection: Connection, sql: ListSql, { offset, limit }: Window) {
  if (sql.parent && connection.rows(sql.parent).length === 0) return undefined;
  const summary = { total: connection.number(sql.total), change: connection.number(sql.change) };
  const count = Math.max(0, Math.min(limit, summary.total - offset));
  if (count === 0) return { ...summary, count, nextCursor: undefined, statements: [] };
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

export class Reads {
  readonly #reader: Connection;
  readonly #long: ReadsOptions['long'];
  readonly #readItem: (plan: ItemPlan) => ReadResult | undefined;
  readonly #planning: SqlOptions = {
    dialect: sqlite,
    searchIn: sqliteSearch,
    isSmall: ({ size }) => mapErrors(() => this.#reader.number(size)) <= SMALL,
  };

  constructor({ reader, catalogue, long, cacheBytes }: ReadsOptions) {
    const select = perCollection(catalogue, selectItem);
    const readItem = ({ collection, keys, including }: ItemPlan): ReadResult | undefined => {
      if (including) return resultWithIncluded(reader.row<Cell[]>(including.sql, including.values));
      const row = reader.row<Row>(select(collection), keyIds(collection, keys));
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

  readonly plan = (request: ReadRequest): SqlPlan => planRead(request, this.#planning);

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

/** After more changed rows, as of an import, all are forgotten. */
const MOST_CHANGED = 1_000;

/** Bytes of a row besides its texts, and of each UTF-16 unit of them; both are estimates. */
const [ROW_BYTES, UNIT_BYTES] = [300, 2];

const VERSION = statement(READ_VERSION);
const CHANGE = statement(readChange);

export interface RowCacheOptions {
  readonly reader: Connection;
  readonly catalogue: Catalogue;
  readonly capacity: number;
}

/** Rows of items by their key. A row is current as long as the index of revisions has no later one of it, whoever wrote it. */
class RowCache {
  readonly #reader: Connection;
  readonly #capacity: number;
  readonly #rows: ReadonlyMap<string, { readonly collection: Collection; readonly byKey: Map<string, Row> }>;
  #bytes = 0;
  #version: number | undefined;
  #change = 0;

  constructor({ reader, catalogue, capacity }: RowCacheOptions) {
    this.#reader = reader;
    this.#capacity = capacity;
    const top = catalogue.filter(({ parent, flattens }) => !parent && !flattens);
    this.#rows = new Map(top.map((collection) => [collection.name, { collection, byKey: new Map() }]));
  }

  find({ name }: Collection, key: string): Row | undefined {
    if (this.#reader.number(VERSION) !== this.#version) this.#reader.inSnapshot(() => this.#forgetChanged());
    return this.#rows.get(name)?.byKey.get(key);
  }

  add({ name }: Collection, key: string, row: Row): void {
    if (this.#bytes > this.#capacity) this.#forgetAll();
    this.#rows.get(name)?.byKey.set(key, row);
    const units = row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0);
    this.#bytes += ROW_BYTES + UNIT_BYTES * units;
  }

  #forgetChanged(): void {
    const [version, change] = [this.#reader.number(VERSION), this.#reader.number(CHANGE)];
    // Another program may have written without change numbers: then no row has a later one.
    if (change <= this.#change) this.#forgetAll();
    for (const { collection, byKey } of this.#rows.values()) {
      if (byKey.size > 0) this.#forgetChangedIn(collection, byKey);
    }
    this.#version = version;
    this.#change = change;
  }

  #forgetChangedIn(collection: Collection, byKey: Map<string, Row>): void {
    try {
      const changed = this.#reader.rows<[string]>(changedKeysSince(collection, MOST_CHANGED + 1, this.#change));
      if (changed.length > MOST_CHANGED) byKey.clear();
      for (const [key] of changed) byKey.delete(keyId(collection.key, key));
    } catch (error) {
      // A damaged page of the index fails this read, and not each one after it.
      this.#forgetAll();
      throw error;
    }
  }

  #forgetAll(): void {
    for (const { byKey } of this.#rows.values()) byKey.clear();
    this.#bytes = 0;
  }
}

type ReadItem = (plan: ItemPlan) => ReadResult | undefined;

/** @returns the same reader of items, which keeps rows of items at the top: that spares a seventh of the CPU of an item's request */
export function withRowCache(readItem: ReadItem, options: RowCacheOptions): ReadItem {
  const cache = new RowCache(options);
  return (plan) => {
    const { collection, keys, including } = plan;
    const [key = ''] = keyIds(collection, keys);
    if (including || keys.length > 1) return readItem(plan);
    const row = cache.find(collection, key);
    if (row) return { total: 1, change: row[0], rows: [row] };
    const item = readItem(plan);
    const [read] = item?.rows ?? [];
    if (read) cache.add(collection, key, read);
    return item;
  };
}
