import type { Collection } from '../../../model/catalogue.ts';
import { type Window, windowOf } from '../../../model/query.ts';
import type { Page, PageReader, Row, Store } from '../../port.ts';
import { lookUps } from '../../row-cache/look-ups.ts';
import { CREATED, rowColumns } from '../../sql/columns.ts';
import { selectCreated } from '../../sql/items.ts';
import { isQuickPage, type ListPlan, listPlan } from '../../sql/lists/plan.ts';
import { unavailable } from '../../unavailable.ts';
import { type Connection, inSnapshot } from '../connection/connection.ts';
import { type RenderedRows, renderedRows } from './rendered-rows.ts';
import { resolve } from './snapshots.ts';

/** The share of missing rows from which the whole page is read. */
const READ_ALL_FROM = 1 / 4;

/** A row with the number of its creation as its last cell, which no format reads. */
type NumberedRow = Row;

interface Reading {
  readonly main: Connection;
  readonly cache: RenderedRows;
  readonly columns: readonly string[];
  readonly selectOne: string;
}

/** Reads a page and caches all of it. */
const readAll = ({ main, cache, columns }: Reading, plan: ListPlan, window: Window, change: number): Page => {
  const { total = 0, statements = [] } = resolve(main, { ...plan, columns }, window, change) ?? {};
  const rows = statements.flatMap((each) => main.rows<NumberedRow>(each));
  return { total, change, content: cache.page(rows.map((row) => cache.add(Number(row.at(-1)), row))) };
};

/** Finds a page's rows by its index alone, without reading them, and then reads those that are not cached. */
const lookUp = ({ main, cache, selectOne }: Reading, plan: ListPlan, window: Window, change: number) => {
  const { total = 0, statements = [] } = resolve(main, { ...plan, columns: [CREATED] }, window, change) ?? {};
  const numbers = statements.flatMap((each) => main.rows<[number]>(each));
  const found = numbers.map(([created]) => cache.find(created));
  const missing = found.filter((position) => position === undefined).length;
  const share = numbers.length === 0 ? 0 : missing / numbers.length;
  if (share > READ_ALL_FROM) return { share, page: undefined };
  const positions = found.map((position, at) => {
    if (position !== undefined) return position;
    const [created = 0] = numbers[at] ?? [];
    const row = main.row<Row>(selectOne, [created]);
    if (!row) throw unavailable(new Error(`an index contains row ${created}, which its table lacks`));
    return cache.add(created, row);
  });
  return { share, page: { total, change, content: cache.page(positions) } };
};

/**
 * Reads pages whose plan is quick. Reading and rendering cells is most of a page's cost, so rendered rows are cached.
 *
 * @param main the store's own connection
 * @param version a statement whose result differs after every commit
 * @param use throws where the database must not be used
 */
export const pageReaders =
  (main: Connection, version: string, use: <T>(work: () => T) => T): NonNullable<Store['pages']> =>
  (collection: Collection, format, capacity): PageReader => {
    const cache = renderedRows(main, collection, format, capacity, version);
    const columns = [...rowColumns(collection), CREATED];
    const reading: Reading = { main, cache, columns, selectOne: selectCreated(collection) };
    const { next, saw } = lookUps();

    return (parents, query) => {
      const window = windowOf(query);
      if (!isQuickPage(collection, query)) return undefined;
      const plan = listPlan(collection, parents, query);
      const readPage = (): Page | undefined => {
        const change = cache.revalidate();
        const { pays, isTurn } = next();
        if (pays) {
          const { share, page } = lookUp(reading, plan, window, change);
          saw(share);
          if (page) return page;
        }
        return cache.isFull() && !isTurn ? undefined : readAll(reading, plan, window, change);
      };
      return use(() => inSnapshot(main, readPage));
    };
  };
