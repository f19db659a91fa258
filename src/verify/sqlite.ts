/** SQLite's own check, and its index of words. */
import { hash } from 'node:crypto';
import type { Collection } from '../model/catalogue.ts';
import { fold } from '../model/search/fold.ts';
import { splitWords } from '../model/search/words.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { DatabaseError } from '../store/database-error.ts';
import { CREATED } from '../store/sql/columns.ts';
import { searchName } from '../store/sql/search.ts';
import { quote, statement } from '../store/sql/statement.ts';
import { createVocabulary, emptySearchIndex, searchedColumns } from '../store/sqlite/schema/search-index.ts';
import type { DatabaseChecks, Finding } from './finding.ts';

/** The most faults that are listed; there may be thousands. */
const MOST = 20;

/** Which index of words a fault is about. */
const FAULT_OF_INDEX = /FTS5 table main\.(\S+)/;

const faultsIn = async (database: RawDatabase): Promise<readonly string[]> => {
  try {
    const lines = await database.rows<[string]>(statement(`PRAGMA integrity_check(${MOST})`));
    return lines.flat().filter((line) => line !== 'ok');
  } catch (error) {
    if (error instanceof DatabaseError) return [error.message];
    throw error;
  }
};

const orphansIn = async (database: RawDatabase): Promise<readonly Finding[]> => {
  const tables = (await database.rows<[string]>(statement('PRAGMA foreign_key_check'))).map(([table]) => table);
  return [...Map.groupBy(tables, (table) => table)].map(([table, { length: rows }]) => ({
    text: 'verify-orphans',
    values: { table, rows },
  }));
};

/** Sums stay below 2^53. */
const MODULUS = 2 ** 52;

/** @returns a number for a word in a column of a row; equal sums of such numbers mean equal words, with an error of one in 2^52 */
const numberOf = (word: string, created: unknown, column: string): number =>
  Number.parseInt(hash('md5', `${word}\0${created}\0${column}`).slice(0, 13), 16);

/** Compares by sums, because what the index contains comes in another order. */
const hasWords = async (database: RawDatabase, collection: Collection): Promise<boolean> => {
  const vocabulary = `_vocabulary_${collection.name}`;
  const columns = searchedColumns(collection);
  // A table of the connection's own, which only reads otherwise.
  for (const sql of ['PRAGMA query_only = OFF', createVocabulary(collection, vocabulary)]) {
    await database.rows(statement(sql));
  }
  let difference = 0;
  const indexed = statement(`SELECT "term", "doc", "col" FROM temp.${quote(vocabulary)}`);
  for await (const rows of database.stream(indexed)) {
    for (const [word, created, column] of rows) {
      difference = (difference + numberOf(fold(String(word)), created, quote(String(column)))) % MODULUS;
    }
  }
  const stored = statement(`SELECT ${[CREATED, ...columns].join(', ')} FROM ${quote(collection.name)}`);
  for await (const rows of database.stream(stored)) {
    for (const [created, ...texts] of rows) {
      for (const [at, text] of texts.entries()) {
        for (const word of new Set(splitWords(String(text ?? '')))) {
          difference = (difference - numberOf(word, created, columns[at] ?? '')) % MODULUS;
        }
      }
    }
  }
  await database.rows(statement(`DROP TABLE temp.${quote(vocabulary)}`));
  return difference === 0;
};

export const sqliteChecks: DatabaseChecks = {
  own: async (database) => {
    const faults = await faultsIn(database);
    const damaged = faults.flatMap((line) => FAULT_OF_INDEX.exec(line)?.[1] ?? []);
    const findings: readonly Finding[] = faults
      .filter((line) => !FAULT_OF_INDEX.test(line))
      .map((reason) => ({ text: 'verify-own', values: { reason } }));
    return {
      findings: faults.length > 0 ? findings : await orphansIn(database),
      damaged: new Set(damaged),
      isChecked: true,
    };
  },
  indexOf: (collection) => ({
    name: searchName(collection),
    isRight: async (database) => hasWords(database, collection),
    empty: emptySearchIndex(collection).map((sql) => statement(sql)),
  }),
};
