import type { Catalogue, Collection } from '../model/catalogue.ts';
import { isServer } from '../settings/database-url.ts';
import { fieldColumns, tableOf } from '../store/sql/columns.ts';
import { searchName } from '../store/sql/search.ts';
import { isIndexed } from '../store/sqlite/schema/search-index.ts';
import type { Link } from '../transfer/link.ts';
import { readRows } from '../transfer/tables.ts';
import { changeFindings } from './change.ts';
import type { Finding } from './finding.ts';
import { type Check, foldedCheck } from './folded.ts';
import { idempotencyFindings } from './idempotency.ts';
import { postgresFindings, postgresWords } from './postgres.ts';
import { sqliteFindings, sqliteWords } from './sqlite.ts';
import { storedTotals, totalsCheck } from './totals.ts';
import { type WordIndex, wordsCheck } from './words.ts';

/** A collection's index of words, and whether it can be read. */
interface Words {
  readonly collection: Collection;
  readonly indexOf: (link: Link) => WordIndex;
  readonly hasIndex: boolean;
}

/** Findings from outside the snapshot. */
interface Prepared {
  readonly findings: readonly Finding[];
  readonly words: readonly Words[];
  /** Whether the database has compared its indexes with its tables. */
  readonly isChecked: boolean;
}

const prepare = async (link: Link, catalogue: Catalogue, url: string): Promise<Prepared> => {
  const searched = catalogue.filter(isIndexed);
  const wordsIn = async (
    wordIndex: (collection: Collection) => (link: Link) => WordIndex,
    isDamaged: (collection: Collection) => boolean,
  ): Promise<readonly Words[]> => {
    const words: Words[] = [];
    for (const collection of searched) {
      const indexOf = wordIndex(collection);
      words.push({ collection, indexOf, hasIndex: !isDamaged(collection) && (await indexOf(link).open()) });
    }
    return words;
  };
  if (isServer(url)) {
    const own = await postgresFindings(link);
    return { ...own, words: await wordsIn(postgresWords, () => false) };
  }
  const { findings, damagedIndexes } = await sqliteFindings(link);
  // A damaged file cannot be checked further.
  if (findings.some(({ text }) => text === 'verify-own')) return { findings, words: [], isChecked: true };
  const words = await wordsIn(sqliteWords, (collection) => damagedIndexes.has(searchName(collection)));
  return { findings, words, isChecked: true };
};

/** Reads each row of a collection once. */
const readAll = async (
  link: Link,
  collection: Collection,
  checks: readonly Check[],
  onRows: (table: string, rows: number) => void,
): Promise<void> => {
  const table = tableOf(collection);
  const start = table.columns.length - fieldColumns(collection).length;
  let read = 0;
  for await (const rows of link.stream(readRows(table))) {
    for (const row of rows) {
      const cells = row.slice(start, start + collection.fields.length);
      const stored = { created: Number(row[0]), cells, folded: row.slice(start + collection.fields.length) };
      for (const check of checks) check.row(stored);
    }
    read += rows.length;
    onRows(collection.name, read);
  }
};

export interface Inspected {
  readonly findings: readonly Finding[];
  readonly isChecked: boolean;
}

/**
 * Checks a whole database in one snapshot, also while other processes write.
 *
 * @param url of the link
 * @param onRows called with the number of rows that were read
 */
export const inspect = async (
  link: Link,
  catalogue: Catalogue,
  url: string,
  onRows: (table: string, rows: number) => void,
): Promise<Inspected> => {
  const { findings: own, words, isChecked } = await prepare(link, catalogue, url);
  if (own.some(({ text }) => text === 'verify-own')) return { findings: own, isChecked };
  const findings = await link.snapshot(async () => {
    const totals = await storedTotals(link);
    const found: Finding[] = [...own, ...(await changeFindings(link, catalogue))];
    for (const collection of catalogue) {
      const searched = words.find((each) => each.collection === collection);
      const checks = [
        foldedCheck(collection),
        totalsCheck(collection, totals.get(collection.name) ?? new Map()),
        ...(searched ? [await wordsCheck(collection, link, searched.indexOf, searched.hasIndex)] : []),
      ];
      await readAll(link, collection, checks, onRows);
      found.push(...checks.flatMap((check) => check.findings()));
    }
    return [...found, ...(await idempotencyFindings(link))];
  });
  return { findings, isChecked };
};
