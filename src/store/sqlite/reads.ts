import { type Catalogue, type Collection, keyIds, perCollection } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import { keyId, type Window } from '../../gateway/model/query.ts';
import type { Caller, CallerOf, ListSummary, ReadPlan, ReadRequest, ReadResult, Row } from '../../gateway/port/port.ts';
import { iterateChunks } from '../../util/iterate-chunks.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import { selectChangedKeys, selectItem, toResultWithIncluded } from '../sql/items.ts';
import {
  addNextCursor,
  buildEnds,
  buildWindow,
  countInWindow,
  type ItemPlan,
  type ListPlan,
  type ListSql,
  planRead,
  SMALL,
  type SqlOptions,
  type SqlPlan,
} from '../sql/lists.ts';
import { sqliteSearch } from '../sql/selections.ts';
import { sqlite, statement } from '../sql/statement.ts';
import { readChange } from '../sql/system-tables.ts';
import { type Connection, mapErrors, READ_VERSION } from './connection.ts';

type ReadItem = (plan: ItemPlan) => ReadResult | undefined;

const NO_ROWS: Window = { offset: 0, limit: 0 };

export function openList(connection: Connection, sql: ListSql, { offset, limit }: Window) {
  if (sql.parent && connection.rows(sql.parent).length === 0) return undefined;
  const summary = { total: connection.number(sql.total), change: connection.number(sql.change) };
  const count = countInWindow({ offset, limit }, summary.total);
  if (count === 0) return { ...summary, count, nextCursor: undefined, statements: [] };
  const present = sql.present ? connection.number(sql.present) : 0;
  const [last, following] = buildEnds(sql, { offset, limit }, present).flatMap((end) => connection.rows<Cell[]>(end));
  const statements = buildWindow(sql, { offset, limit: count }, present);
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
  readonly #readItem: ReadItem;
  readonly #planning: SqlOptions = {
    dialect: sqlite,
    searchIn: sqliteSearch,
    isSmall: ({ size }) => mapErrors(() => this.#reader.number(size)) <= SMALL,
  };

  constructor({ reader, catalogue, long, cacheBytes }: ReadsOptions) {
    const select = perCollection(catalogue, selectItem);
    const readItem: ReadItem = ({ collection, keys, including }) => {
      if (including) return toResultWithIncluded(reader.row<Cell[]>(including.sql, including.values));
      const row = reader.row<Row>(select(collection), keyIds(collection, keys));
      return row && { total: 1, change: row[0], rows: [row] };
    };
    this.#reader = reader;
    this.#long = long;
    this.#readItem =
      cacheBytes > 0 ? new RowCache(readItem, { reader, catalogue, capacity: cacheBytes }).read : readItem;
  }

  readonly read = (request: ReadPlan, caller?: CallerOf): MaybePromise<ReadResult | undefined> =>
    mapErrors(() => {
      const plan = request as SqlPlan;
      if (plan.shape === 'item') return this.#readItem(plan);
      return andThen(this.#readList(plan, caller), (list) => list && addNextCursor(plan, list));
    });

  readonly summarize = (plan: ReadPlan, caller?: CallerOf): MaybePromise<ListSummary | undefined> => {
    const list = this.read({ ...plan, shape: 'page', window: NO_ROWS } as ListPlan, caller);
    return andThen(list, (rows) => rows && { total: rows.total, change: rows.change });
  };

  readonly plan = (request: ReadRequest): SqlPlan => planRead(request, this.#planning);

  #readList(plan: ListRead, caller?: CallerOf): MaybePromise<ReadResult | undefined> {
    const [reader, long] = [this.#reader, this.#long];
    if (long && plan.cost === 'scan') return long.read(plan, caller?.());
    const result = reader.inSnapshot(() => {
      const list = openList(reader, plan.sql, plan.window);
      if (!list || (long && list.count > plan.sql.chunk)) return list && 'long';
      const { total, change, nextCursor, statements } = list;
      const rows = statements.flatMap((query) => reader.rows<Row>(query));
      const { chunk } = plan.sql;
      const rest = rows.length > chunk ? iterateAsync(iterateChunks(rows.slice(chunk), chunk)) : undefined;
      return { total, change, nextCursor, rows: rows.slice(0, chunk), rest };
    });
    return result === 'long' ? long?.read(plan, caller?.()) : result;
  }
}

/** After more changed rows, as of an import, all are forgotten. */
const MOST_CHANGED = 1_000;

/** Bytes of a row besides its texts, and of each UTF-16 unit of them; both are estimates. */
const [ROW_BYTES, UNIT_BYTES] = [300, 2];

const VERSION = statement(READ_VERSION);
const CHANGE = statement(readChange);

interface RowCacheOptions {
  readonly reader: Connection;
  readonly catalogue: Catalogue;
  readonly capacity: number;
}

/**
 * Reads items, and keeps rows of those at the top: that spares a seventh of the CPU of an item's request. A row is current as
 * long as the index of revisions has no later one of it, whoever wrote it.
 */
export class RowCache {
  readonly #readItem: ReadItem;
  readonly #options: RowCacheOptions;
  readonly #rows: ReadonlyMap<string, { readonly collection: Collection; readonly byKey: Map<string, Row> }>;
  #bytes = 0;
  #version: number | undefined;
  #change = 0;

  constructor(readItem: ReadItem, options: RowCacheOptions) {
    this.#readItem = readItem;
    this.#options = options;
    const top = options.catalogue.filter(({ parent, flattens }) => !parent && !flattens);
    this.#rows = new Map(top.map((collection) => [collection.name, { collection, byKey: new Map() }]));
  }

  readonly read: ReadItem = (plan) => {
    const { collection, keys, including } = plan;
    if (including || keys.length > 1) return this.#readItem(plan);
    const { reader, capacity } = this.#options;
    if (reader.number(VERSION) !== this.#version) reader.inSnapshot(() => this.#forgetChanged());
    const byKey = this.#rows.get(collection.name)?.byKey;
    const [key = ''] = keyIds(collection, keys);
    const row = byKey?.get(key);
    if (row) return { total: 1, change: row[0], rows: [row] };
    const item = this.#readItem(plan);
    const [read] = item?.rows ?? [];
    if (!read) return item;
    if (this.#bytes > capacity) this.#forgetAll();
    byKey?.set(key, read);
    const units = read.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0);
    this.#bytes += ROW_BYTES + UNIT_BYTES * units;
    return item;
  };

  #forgetChanged(): void {
    const { reader } = this.#options;
    const [version, change] = [reader.number(VERSION), reader.number(CHANGE)];
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
      const sql = selectChangedKeys(collection, MOST_CHANGED + 1, this.#change);
      const changed = this.#options.reader.rows<[string]>(sql);
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
