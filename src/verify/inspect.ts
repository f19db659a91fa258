import type { Catalogue, Collection } from '../model/catalogue.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { readRows } from '../raw-database/tables.ts';
import { isServer } from '../settings/database-url.ts';
import { fieldColumns, tableOf } from '../store/sql/columns.ts';
import { searchName } from '../store/sql/search.ts';
import { isIndexed } from '../store/sqlite/schema/search-index.ts';
import { changeFindings } from './change.ts';
import type { Finding } from './finding.ts';
import { foldedCheck, type RowCheck } from './folded.ts';
import { idempotencyFindings } from './idempotency.ts';
import { postgresFindings, postgresWords } from './postgres.ts';
import { sqliteFindings, sqliteWords } from './sqlite.ts';
import { readStoredTotals, totalsCheck } from './totals.ts';
import { type WordIndex, wordsCheck } from './words.ts';

/** A collection's index of words, and whether it can be read. */
interface Words {
  readonly collection: Collection;
  readonly indexOf: (database: RawDatabase) => WordIndex;
  readonly hasIndex: boolean;
}

/** Findings from outside the snapshot. */
interface Prepared {
  readonly findings: readonly Finding[];
  readonly words: readonly Words[];
  /** Whether the database has compared its indexes with its tables. */
  readonly isChecked: boolean;
}

const prepare = async (database: RawDatabase, catalogue: Catalogue, url: string): Promise<Prepared> => {
  const searched = catalogue.filter(isIndexed);
  const wordsIn = async (
    wordIndex: (collection: Collection) => (database: RawDatabase) => WordIndex,
    isDamaged: (collection: Collection) => boolean,
  ): Promise<readonly Words[]> => {
    const words: Words[] = [];
    for (const collection of searched) {
      const indexOf = wordIndex(collection);
      words.push({ collection, indexOf, hasIndex: !isDamaged(collection) && (await indexOf(database).open()) });
    }
    return words;
  };
  if (isServer(url)) {
    const own = await postgresFindings(database);
    return { ...own, words: await wordsIn(postgresWords, () => false) };
  }
  const { findings, damagedIndexes } = await sqliteFindings(database);
  // A damaged file cannot be checked further.
  if (findings.some(({ text }) => text === 'verify-own')) return { findings, words: [], isChecked: true };
  const words = await wordsIn(sqliteWords, (collection) => damagedIndexes.has(searchName(collection)));
  return { findings, words, isChecked: true };
};

/** Reads each row of a collection once. */
const readAll = async (
  database: RawDatabase,
  collection: Collection,
  checks: readonly RowCheck[],
  onRows: (table: string, rows: number) => void,
): Promise<void> => {
  const table = tableOf(collection);
  const start = table.columns.length - fieldColumns(collection).length;
  let read = 0;
  for await (const rows of database.stream(readRows(table))) {
    for (const row of rows) {
      const cells = row.slice(start, start + collection.fields.length);
      const stored = { created: Number(row[0]), cells, folded: row.slice(start + collection.fields.length) };
      for (const check of checks) check.row(stored);
    }
    read += rows.length;
    onRows(collection.name, read);
  }
};

export interface Inspection {
  readonly findings: readonly Finding[];
  readonly isChecked: boolean;
}

/**
 * Checks a whole database in one snapshot, also while other processes write.
 *
 * @param url its URL
 * @param onRows called with the number of rows that were read
 */
export const inspect = async (
  database: RawDatabase,
  catalogue: Catalogue,
  url: string,
  onRows: (table: string, rows: number) => void,
): Promise<Inspection> => {
  const { findings: own, words, isChecked } = await prepare(database, catalogue, url);
  if (own.some(({ text }) => text === 'verify-own')) return { findings: own, isChecked };
  const findings = await database.snapshot(async () => {
    const totals = await readStoredTotals(database);
    const found: Finding[] = [...own, ...(await changeFindings(database, catalogue))];
    for (const collection of catalogue) {
      const searched = words.find((each) => each.collection === collection);
      const checks = [
        foldedCheck(collection),
        totalsCheck(collection, totals.get(collection.name) ?? new Map()),
        ...(searched ? [await wordsCheck(collection, database, searched.indexOf, searched.hasIndex)] : []),
      ];
      await readAll(database, collection, checks, onRows);
      found.push(...checks.flatMap((check) => check.findings()));
    }
    return [...found, ...(await idempotencyFindings(database))];
  });
  return { findings, isChecked };
};
