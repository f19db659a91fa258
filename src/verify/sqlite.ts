/** SQLite's own check, and its index of words. */
import type { Collection } from '../model/catalogue.ts';
import { fold } from '../model/search/fold.ts';
import { splitWords } from '../model/search/words.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { DatabaseError } from '../store/database-error.ts';
import { searchName } from '../store/sql/search.ts';
import { quote, statement } from '../store/sql/statement.ts';
import { createVocabulary, emptySearchIndex } from '../store/sqlite/schema/search-index.ts';
import type { Finding } from './finding.ts';
import type { WordIndex } from './words.ts';

/** The most faults that are listed; there may be thousands. */
const MOST = 20;

const vocabularyOf = ({ name }: Collection): string => `_vocabulary_${name}`;

export const sqliteWords =
  (collection: Collection) =>
  (database: RawDatabase): WordIndex => ({
    open: async () => {
      const tables = await database.tables();
      if (!tables.has(searchName(collection))) return false;
      const make = createVocabulary(collection, vocabularyOf(collection));
      // It is a table of the connection's own.
      const steps = ['PRAGMA query_only = OFF', `DROP TABLE IF EXISTS temp.${quote(vocabularyOf(collection))}`, make];
      for (const sql of steps) await database.rows(statement(sql));
      return true;
    },
    readAll: async (add) => {
      const all = statement(`SELECT "term", "doc", "col" FROM temp.${quote(vocabularyOf(collection))}`);
      for await (const rows of database.stream(all)) {
        for (const [word, created, column] of rows) add(fold(String(word)), Number(created), quote(String(column)));
      }
      const unmade = statement('SELECT 1 FROM "_search" WHERE "collection" = ? AND "from" > 0', [collection.name]);
      return (await database.rows(unmade)).length === 0;
    },
    addRow: (add, created, texts) => {
      for (const [column, text] of texts) for (const word of new Set(splitWords(text))) add(word, created, column);
    },
    empty: async () => {
      for (const sql of emptySearchIndex(collection)) await database.rows(statement(sql));
    },
  });

/** @returns the tables whose index of words is damaged, and all other faults */
export const sqliteFindings = async (
  database: RawDatabase,
): Promise<{ readonly findings: readonly Finding[]; readonly damagedIndexes: ReadonlySet<string> }> => {
  const found = await database.rows<[string]>(statement(`PRAGMA integrity_check(${MOST})`)).then(
    (rows) => rows.map(([line]) => line),
    (error: unknown) => {
      if (error instanceof DatabaseError) return [error.message];
      throw error;
    },
  );
  const faults = found.filter((line) => line !== 'ok');
  const indexIn = (line: string): string | undefined => /FTS5 table main\.(\S+)/.exec(line)?.[1];
  const orphans = new Map<string, number>();
  if (faults.length === 0) {
    for (const [table] of await database.rows<[string]>(statement('PRAGMA foreign_key_check'))) {
      orphans.set(table, (orphans.get(table) ?? 0) + 1);
    }
  }
  return {
    damagedIndexes: new Set(faults.flatMap((line) => indexIn(line) ?? [])),
    findings: [
      ...faults
        .filter((line) => indexIn(line) === undefined)
        .map((reason): Finding => ({ text: 'verify-own', values: { reason } })),
      ...[...orphans].map(([table, rows]): Finding => ({ text: 'verify-orphans', values: { table, rows } })),
    ],
  };
};
