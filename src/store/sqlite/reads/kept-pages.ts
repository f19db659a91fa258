import { type Catalogue, type Collection, perCollection } from '../../../gateway/model/catalogue.ts';
import type { Found, ListFormat, ListSummary, Row } from '../../../gateway/port/port.ts';
import { unavailable } from '../../../gateway/port/unavailable.ts';
import { selectCreated } from '../../sql/items.ts';
import type { ListPlan } from '../../sql/lists/read-plan.ts';
import { nextOf } from '../../sql/lists/window.ts';
import { CREATED, rowColumns } from '../../sql/statement.ts';
import { type Connection, inSnapshot } from '../connection/connection.ts';
import { type KeptRows, keptRows } from './kept-rows.ts';
import { resolve } from './reads.ts';

/** Up to this share of a page's rows are read one by one; beyond it, all at once. */
const ONE_BY_ONE = 1 / 4;
/** Above this share of rows that are not kept, pages are read without a look for those that are. */
const RARELY_KEPT = 1 / 2;
/** One page in this many is looked for all the same, and kept even where that evicts others. */
const INTERVAL = 8;

export interface KeptPagesOptions {
  readonly catalogue: Catalogue;
  /** A statement whose result differs after every commit. */
  readonly version: string;
  /** Bytes of the rows in one format. */
  readonly capacity: number;
  /** Called with whether all rows of a page were kept ones. */
  readonly onKept: (isKept: boolean) => void;
}

/** @returns a function that reads pages of written rows: to read and write cells is most of a page's cost */
const readerOf = (
  main: Connection,
  collection: Collection,
  rows: KeptRows,
  onKept: KeptPagesOptions['onKept'],
): ((plan: ListPlan) => Found | undefined) => {
  const columns = rowColumns(collection);
  const lastColumns = ({ position }: ListPlan['sql']) => (position.length > 0 ? position : [CREATED]);
  const selectOne = selectCreated(collection);
  /** The recent share of rows that were not kept. */
  let missing = 0;
  let pages = 0;

  const pageOf = (plan: ListPlan, { total, change }: ListSummary, read: readonly Row[], texts: readonly string[]) => ({
    total,
    change,
    rows: [],
    written: rows.page(texts),
    next: nextOf(plan, { total, rows: read }),
  });

  const readAll = (plan: ListPlan): Found | undefined => {
    const { sql, window } = plan;
    const found = resolve(main, { ...sql, columns: [...columns, ...lastColumns(sql)] }, window);
    if (!found) return undefined;
    const read = found.statements.flatMap((each) => main.rows<Row>(each));
    const texts = read.map((row) => rows.add(Number(row.at(-1)), row));
    return pageOf(plan, found, read, texts);
  };
  /** Finds a page's rows by its index alone. @returns `undefined` where the page is better read whole */
  const lookUp = (plan: ListPlan): Found | undefined => {
    const { sql, window } = plan;
    const list = resolve(main, { ...sql, columns: lastColumns(sql) }, window);
    if (!list) return undefined;
    const read = list.statements.flatMap((each) => main.rows<Row>(each));
    const numbers = read.map((row) => Number(row.at(-1)));
    const found = numbers.map((created) => rows.find(created));
    const lacking = found.filter((text) => text === undefined).length;
    const share = numbers.length === 0 ? 0 : lacking / numbers.length;
    missing += (share - missing) / INTERVAL;
    onKept(lacking === 0);
    if (share > ONE_BY_ONE) return undefined;
    const addOne = (created: number): string => {
      const row = main.row<Row>(selectOne, [created]);
      if (!row) throw unavailable(new Error(`an index contains row ${created}, which its table lacks`));
      return rows.add(created, row);
    };
    const texts = found.map((text, at) => text ?? addOne(numbers[at] ?? 0));
    return pageOf(plan, list, read, texts);
  };
  return (plan) =>
    inSnapshot(main, () => {
      rows.refresh();
      pages += 1;
      const isTurn = pages % INTERVAL === 0;
      const found = missing < RARELY_KEPT || isTurn ? lookUp(plan) : undefined;
      return found ?? (rows.isFull() && !isTurn ? undefined : readAll(plan));
    });
};

/**
 * @param main the store's own connection
 * @returns a function that reads a page that a format may keep; `undefined` where it is better not kept
 */
export const keptPages = (
  main: Connection,
  { catalogue, version, capacity, onKept }: KeptPagesOptions,
): ((plan: ListPlan, format: ListFormat) => Found | undefined) => {
  const readers = perCollection(catalogue, () => new Map<ListFormat, ReturnType<typeof readerOf>>());
  return (plan, format) => {
    const { collection } = plan;
    const known = readers(collection);
    const made =
      known.get(format) ?? readerOf(main, collection, keptRows(main, collection, format, capacity, version), onKept);
    known.set(format, made);
    return made(plan);
  };
};
