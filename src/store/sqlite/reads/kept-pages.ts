import { type Catalogue, type Collection, perCollection } from '../../../gateway/model/catalogue.ts';
import type { Found, ListFormat, ListSummary, Row } from '../../../gateway/port/port.ts';
import { changedSince } from '../../sql/items.ts';
import { type ListPlan, nextOf } from '../../sql/lists/read-plan.ts';
import { CREATED, rowColumns } from '../../sql/statement.ts';
import { CHANGES_LIMIT, type Keeping, type Kept, keptOf } from './kept.ts';
import { type InSnapshot, resolve } from './reads.ts';

/** Above this share of pages that lack a row, pages are read without a look for those that are kept. */
const RARELY_KEPT = 1 / 2;
/** One page in this many is looked for all the same, and kept even where that evicts others. */
const INTERVAL = 8;
/** Bytes of a row besides its own. */
const OVERHEAD = 96;

export interface KeptPagesOptions extends Keeping {
  readonly inSnapshot: InSnapshot;
  readonly catalogue: Catalogue;
  /** Called with whether all rows of a page were kept ones. */
  readonly onKept: (isKept: boolean) => void;
}

/** @returns a function that reads pages of written rows: to read and write cells is most of a page's cost */
const readerOf = (
  { reader, inSnapshot, onKept }: KeptPagesOptions,
  collection: Collection,
  { start, row: write, separator, end }: ListFormat,
  rows: Kept<number, string>,
): ((plan: ListPlan) => Found | undefined) => {
  /** The recent share of pages that lacked a row. */
  let missing = 0;
  let pages = 0;

  /** Reads some columns of a page, and at the end of each row its position, whose last value is the number of its creation. */
  const readColumns = ({ sql, window }: ListPlan, columns: readonly string[]) => {
    const position = sql.position.length > 0 ? sql.position : [CREATED];
    const found = resolve(reader, { ...sql, columns: [...columns, ...position] }, window);
    return found && { found, read: found.statements.flatMap((each) => reader.rows<Row>(each)) };
  };
  const pageOf = (plan: ListPlan, { total, change }: ListSummary, read: readonly Row[], texts: readonly string[]) => ({
    total,
    change,
    rows: [],
    written: start + texts.join(separator) + end,
    next: nextOf(plan, { total, rows: read }),
  });
  const createdOf = (row: Row): number => Number(row.at(-1));

  const readAll = (plan: ListPlan): Found | undefined => {
    const page = readColumns(plan, rowColumns(collection));
    if (!page) return undefined;
    const texts = page.read.map((row) => rows.keep(createdOf(row), write(row, 0)));
    return pageOf(plan, page.found, page.read, texts);
  };
  /** Finds a page's rows by its index alone. @returns `undefined` where one of them is not kept */
  const lookUp = (plan: ListPlan): Found | undefined => {
    const page = readColumns(plan, []);
    if (!page) return undefined;
    const texts = page.read.flatMap((row) => rows.find(createdOf(row)) ?? []);
    const isKept = texts.length === page.read.length;
    missing += (Number(!isKept) - missing) / INTERVAL;
    onKept(isKept);
    return isKept ? pageOf(plan, page.found, page.read, texts) : undefined;
  };
  return (plan) =>
    inSnapshot(() => {
      rows.refresh();
      pages += 1;
      const isTurn = pages % INTERVAL === 0;
      const found = missing < RARELY_KEPT || isTurn ? lookUp(plan) : undefined;
      return found ?? (rows.isFull() && !isTurn ? undefined : readAll(plan));
    });
};

/** @returns a function that reads a page that a format may keep; `undefined` where it is better not kept */
export const keptPages = (options: KeptPagesOptions): ((plan: ListPlan, format: ListFormat) => Found | undefined) => {
  const readers = perCollection(options.catalogue, () => new Map<ListFormat, ReturnType<typeof readerOf>>());
  return (plan, format) => {
    const { collection } = plan;
    const known = readers(collection);
    const readPage = known.get(format);
    if (readPage) return readPage(plan);
    const changed = changedSince(collection, CHANGES_LIMIT + 1);
    const rows = keptOf<number, string>(options, changed, ({ length }) => length + OVERHEAD);
    const made = readerOf(options, collection, format, rows);
    known.set(format, made);
    return made(plan);
  };
};
