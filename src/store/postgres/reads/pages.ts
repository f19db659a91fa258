/**
 * Pages of cached rendered rows, because reading and rendering cells is most of a page's cost: PostgreSQL returns the versions
 * of the page's rows as one text.
 */
import type { Collection } from '../../../model/catalogue.ts';
import type { Window } from '../../../model/query.ts';
import type { ListFormat, Listing, Page, Row } from '../../port.ts';
import { type LookUps, lookUps } from '../../row-cache/look-ups.ts';
import { type RowCache, rowCache } from '../../row-cache/row-cache.ts';
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

/** A row with its version as the last cell, which no format reads. */
type VersionedRow = Row;

/** Between versions. A key that contains it makes the count wrong, and then the page is read whole. */
const SEPARATOR = '\u0001';

/** What reads the pages of a collection in one representation. */
export interface PageReading {
  /** By the version of the row: a changed row has another version, and is not found. */
  readonly cache: RowCache<string>;
  readonly lookUps: LookUps;
  /** SQL of a row's version. */
  readonly version: string;
  /** The columns of a `VersionedRow`. */
  readonly columns: readonly string[];
}

/** FNV-1a */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
};

/** @param capacity bytes of the cached rows */
export const pageReading = (collection: Collection, format: ListFormat, capacity: number): PageReading => {
  const version = `${WRITER} || '.' || CAST(${REVISION} AS TEXT) || '.' || CAST(${quote(collection.key.name)} AS TEXT)`;
  return {
    cache: rowCache(format, capacity, hashOf),
    lookUps: lookUps(),
    version,
    columns: [...rowColumns(collection), version],
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

/** Caches all rows of a page. @param listing a list of the columns of the reading */
export const writePage = async ({ cache }: PageReading, { total, change, chunks }: Listing): Promise<Page> => {
  const { value = [] } = await chunks.next();
  cache.beginPage();
  const rows: readonly VersionedRow[] = value;
  return { total, change, content: cache.page(rows.map((row) => cache.add(String(row.at(-1)), row))) };
};

/**
 * Finds which rows a page has.
 *
 * @returns `undefined` where the page must be read whole: some of its rows are not cached, or belong to a second range
 */
export const lookUp = async (
  reader: Reader,
  { cache, lookUps, version }: PageReading,
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
  const positions: number[] = [];
  cache.beginPage();
  for (const each of versions) {
    const position = cache.find(each);
    if (position !== undefined) positions.push(position);
  }
  lookUps.saw(versions.length === 0 ? 0 : 1 - positions.length / versions.length);
  return positions.length === versions.length ? { ...summary, content: cache.page(positions) } : undefined;
};
