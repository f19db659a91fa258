import type { Catalogue, Collection } from '../model/catalogue.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { readRows } from '../raw-database/tables.ts';
import { isServer } from '../settings/database-url.ts';
import { fieldColumns, tableOf } from '../store/sql/columns.ts';
import { statement } from '../store/sql/statement.ts';
import { isIndexed } from '../store/sqlite/schema/search-index.ts';
import { type Finding, inChange, type RowCheck, type WordIndex } from './finding.ts';
import { foldedCheck } from './folded.ts';
import { keptFindings } from './kept.ts';
import { postgresChecks } from './postgres.ts';
import { sqliteChecks } from './sqlite.ts';
import { totalsCheck } from './totals.ts';

/** Reads each row of a collection once. */
const readAll = async (
  database: RawDatabase,
  collection: Collection,
  checks: readonly RowCheck[],
  onRows: (table: string, rows: number) => void,
): Promise<void> => {
  const table = tableOf(collection);
  const start = table.columns.length - fieldColumns(collection).length;
  const end = start + collection.fields.length;
  let read = 0;
  for await (const rows of database.stream(readRows(table))) {
    for (const row of rows) {
      const stored = { created: Number(row[0]), cells: row.slice(start, end), folded: row.slice(end) };
      for (const check of checks) check.row(stored);
    }
    read += rows.length;
    onRows(collection.name, read);
  }
};

/** The index is emptied, and filled again in steps, between which other processes write; until then searches find less. */
const wordsFinding = ({ name: table }: Collection, { name, empty }: WordIndex): Finding => ({
  text: 'verify-words',
  values: { table },
  repair: async (database) => {
    if ((await database.tables()).has(name)) {
      await inChange(database, async () => {
        for (const each of empty) await database.rows(each);
      });
    }
    await database.prepare();
    await inChange(database, async () => {});
  },
});

const isComplete = async (database: RawDatabase, { name }: Collection): Promise<boolean> =>
  (await database.rows(statement('SELECT 1 FROM "_search" WHERE "collection" = ? AND "from" > 0', [name]))).length ===
  0;

const wordsFindings = async (
  database: RawDatabase,
  collection: Collection,
  index: WordIndex,
  isReadable: boolean,
): Promise<readonly Finding[]> => {
  const isRight = isReadable && (await isComplete(database, collection)) && (await index.isRight(database));
  return isRight ? [] : [wordsFinding(collection, index)];
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
  const { own, indexOf } = isServer(url) ? postgresChecks : sqliteChecks;
  const { findings: damages, damaged, isChecked } = await own(database);
  // A damaged file cannot be checked further.
  if (damages.some(({ text }) => text === 'verify-own')) return { findings: damages, isChecked };
  const tables = await database.tables();
  const findings = await database.snapshot(async () => {
    const found: Finding[] = [...damages, ...(await keptFindings(database, catalogue))];
    for (const collection of catalogue) {
      const checks = [foldedCheck(collection), await totalsCheck(database, collection)];
      await readAll(database, collection, checks, onRows);
      found.push(...checks.flatMap((check) => check.findings()));
      if (!indexOf || !isIndexed(collection)) continue;
      const index = indexOf(collection);
      const isReadable = tables.has(index.name) && !damaged.has(index.name);
      found.push(...(await wordsFindings(database, collection, index, isReadable)));
    }
    return found;
  });
  return { findings, isChecked };
};
