import type { Collection } from '../../../model/catalogue.ts';
import { type Window, windowOf } from '../../../model/query.ts';
import type { Page, PageReader, Row, Store } from '../../port.ts';
import { CREATED, rowColumns } from '../../sql/columns.ts';
import { selectCreated } from '../../sql/items.ts';
import { CHUNK, type ListPlan, listPlan } from '../../sql/lists/plan.ts';
import { isQuick } from '../../sql/lists/quick.ts';
import { unavailable } from '../../unavailable.ts';
import { type Connection, inSnapshot } from '../connection/connection.ts';
import { type RenderedRows, renderedRows } from './rendered-rows.ts';
import { resolve } from './snapshots.ts';

/** Of the rows of a page: where more are missing, the whole page is read. */
const READ_ALL_FROM = 1 / 4;
/** Where this share of the rows is not found, most pages are read without a look at what is kept. */
const RARELY_FOUND = 1 / 2;
/** One page in so many is looked up all the same; and one in so many rendered again where there is no room for all. */
const INTERVAL = 8;

type Render = (row: Row) => Uint8Array;
/** A row with the number of its creation at its end, which no renderer looks at. */
type NumberedRow = Row;

interface Reading {
  readonly main: Connection;
  readonly kept: RenderedRows;
  readonly columns: readonly string[];
  readonly selectOne: string;
  readonly render: Render;
}

/** Reads a page and renders all of it. */
const readAll = ({ main, kept, columns, render }: Reading, plan: ListPlan, window: Window, keep: boolean): Page => {
  const { total = 0, change = 0, statements = [] } = resolve(main, { ...plan, columns }, window) ?? {};
  const rows = statements.flatMap((each) => main.rows<NumberedRow>(each));
  const rendered = rows.map((row) => {
    const bytes = render(row);
    if (keep) kept.set(Number(row.at(-1)), bytes);
    return bytes;
  });
  return { total, change, rows: rendered };
};

/** Finds a page's rows through its index alone, which does not touch them, and reads those that are not kept. */
const lookUp = ({ main, kept, selectOne, render }: Reading, plan: ListPlan, window: Window) => {
  const { total = 0, change = 0, statements = [] } = resolve(main, { ...plan, columns: [CREATED] }, window) ?? {};
  const numbers = statements.flatMap((each) => main.rows<[number]>(each));
  const found = numbers.map(([created]) => kept.get(created));
  const missing = found.filter((bytes) => bytes === undefined).length;
  const share = numbers.length === 0 ? 0 : missing / numbers.length;
  if (share > READ_ALL_FROM) return { share, page: undefined };
  const rows = found.map((bytes, at) => {
    if (bytes) return bytes;
    const [created = 0] = numbers[at] ?? [];
    const row = main.row<Row>(selectOne, [created]);
    if (!row) throw unavailable(new Error(`an index contains row ${created}, which its table lacks`));
    const rendered = render(row);
    kept.set(created, rendered);
    return rendered;
  });
  return { share, page: { total, change, rows } };
};

/**
 * Reads pages whose plan is quick. Most of what a page costs is its cells; so its rows are kept as they were rendered.
 *
 * @param main the store's own connection
 * @param version a statement whose result differs after every commit
 * @param use throws where the database must not be used
 */
export const pageReaders =
  (main: Connection, version: string, use: <T>(work: () => T) => T): NonNullable<Store['pages']> =>
  (collection: Collection, render, room): PageReader => {
    const kept = renderedRows(main, collection, room, version);
    const columns = [...rowColumns(collection), CREATED];
    const reading: Reading = { main, kept, columns, selectOne: selectCreated(collection), render };
    /** The share of rows that were not found lately. */
    let missing = 0;
    let pages = 0;

    return (parents, query) => {
      const window = windowOf(query);
      if (window.limit > CHUNK || !isQuick(collection, query)) return undefined;
      const plan = listPlan(collection, parents, query);
      pages++;
      const readPage = (): Page => {
        kept.revalidate();
        const isTurn = pages % INTERVAL === 0;
        if (missing < RARELY_FOUND || isTurn) {
          const { share, page } = lookUp(reading, plan, window);
          missing += (share - missing) / INTERVAL;
          if (page) return page;
        }
        return readAll(reading, plan, window, !kept.isFull() || isTurn);
      };
      return use(() => inSnapshot(main, readPage));
    };
  };
