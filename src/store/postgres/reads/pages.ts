/**
 * Pages of cached rendered rows, because reading and rendering cells is most of a page's cost: PostgreSQL returns the versions
 * of the page's rows as one text.
 */
import type { BoundedCache } from '../../../model/bounded-cache.ts';
import type { Collection } from '../../../model/catalogue.ts';
import type { Window } from '../../../model/query.ts';
import { type LookUps, lookUps } from '../../kept/look-ups.ts';
import { renderedCache } from '../../kept/rendered-cache.ts';
import type { Listing, Page, Row } from '../../port.ts';
import { REVISION, rowColumns } from '../../sql/columns.ts';
import type { ListPlan } from '../../sql/lists/plan.ts';
import { windowStatements } from '../../sql/lists/window.ts';
import { quote, statement } from '../../sql/statement.ts';
import { CHANGE } from '../../sql/system-tables.ts';
import type { Reader } from '../connection/connection.ts';
import type { Pool } from '../connection/pool.ts';
import { countIn, parseNumbers, selectNumbers, summaryOf } from './list-reads.ts';

/** The transaction that wrote a row, whichever program ran it; the number is used again after four thousand million others. */
const WRITER = 'CAST(xmin AS TEXT)';

/** A row with its version as the last cell, which no renderer reads. */
type VersionedRow = Row;

/** Between versions. A key that contains it makes the count wrong, and then the page is read whole. */
const SEPARATOR = '\u0001';

/** What reads the pages of a collection in one representation. */
export interface PageReading {
  /** By the version of the row: a changed row has another version, and is not found. */
  readonly kept: BoundedCache<string, Uint8Array>;
  readonly lookUps: LookUps;
  /** SQL of a row's version. */
  readonly version: string;
  /** The columns of a `VersionedRow`. */
  readonly columns: readonly string[];
  readonly render: (row: Row) => Uint8Array;
}

/** @param capacity bytes of the cached rows */
export const pageReading = (collection: Collection, render: PageReading['render'], capacity: number): PageReading => {
  const version = `${WRITER} || '.' || CAST(${REVISION} AS TEXT) || '.' || CAST(${quote(collection.key.name)} AS TEXT)`;
  return {
    kept: renderedCache(capacity),
    lookUps: lookUps(),
    version,
    columns: [...rowColumns(collection), version],
    render,
  };
};

/** @returns whether the server tells who wrote a row; not every server with this protocol does */
export const hasVersions = (pool: Pool): Promise<boolean> =>
  pool
    .read(({ rows }) => rows(statement(`SELECT ${WRITER} FROM ${quote(CHANGE)}`)))
    .then(
      () => true,
      () => false,
    );

/** @param listing a list of the columns of the reading */
export const renderPage = async (
  { kept, render }: PageReading,
  { total, change, chunks }: Listing,
  keep: boolean,
): Promise<Page> => {
  const { value = [] } = await chunks.next();
  const rows = (value as readonly VersionedRow[]).map((row) => {
    const rendered = render(row);
    if (keep) kept.set(String(row.at(-1)), rendered);
    return rendered;
  });
  return { total, change, rows };
};

/**
 * Finds which rows a page has.
 *
 * @returns `undefined` where the page must be read whole: some of its rows are not cached, or belong to a second range
 */
export const lookUp = async (
  reader: Reader,
  { kept, lookUps, version }: PageReading,
  plan: ListPlan,
  window: Window,
): Promise<Page | undefined> => {
  const numbers = selectNumbers({ ...plan, present: undefined });
  const [inOrder] = windowStatements({ ...plan, columns: [version] }, window, Infinity);
  if (!inOrder) return undefined;
  const [[text, listed] = ['', '']] = await reader.rows<[string, string]>({
    sql: `${numbers.sql}, array_to_string(ARRAY(${inOrder.sql}), '${SEPARATOR}')`,
    values: [...numbers.values, ...inOrder.values],
  });
  const summary = summaryOf(parseNumbers(text));
  const versions = listed === '' ? [] : listed.split(SEPARATOR);
  if (!summary || versions.length !== countIn(window, summary.total)) return undefined;
  const rows: Uint8Array[] = [];
  for (const each of versions) {
    const row = kept.get(each);
    if (row) rows.push(row);
  }
  lookUps.saw(versions.length === 0 ? 0 : 1 - rows.length / versions.length);
  return rows.length === versions.length ? { ...summary, rows } : undefined;
};
