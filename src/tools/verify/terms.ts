/** SQLite's index of terms. PostgreSQL keeps its own right. */
import { hash } from 'node:crypto';
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import { fold } from '../../gateway/model/search/fold.ts';
import { splitTerms } from '../../gateway/model/search/terms.ts';
import { searchName } from '../../store/sql/search.ts';
import { isFolded, quote, sortColumn, statement } from '../../store/sql/statement.ts';
import { createVocabulary, isIndexed, rebuildSearchIndex } from '../../store/sqlite/schema/search-index.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { type Finding, inChange } from './findings.ts';

/** Sums stay below 2^53. */
const MODULUS = 2 ** 52;

/** @returns a number for a term in a column of a row; equal sums of such numbers mean equal terms, with an error of one in 2^52 */
const numberOf = (term: string, created: unknown, column: string): number =>
  Number.parseInt(hash('md5', `${term}\0${created}\0${column}`).slice(0, 13), 16);

/** @returns the sum of all that the index contains; `undefined` where there is none */
const indexedSum = async (database: RawDatabase, collection: Collection): Promise<number | undefined> => {
  const { name } = collection;
  if (!(await database.tables()).has(searchName(collection))) return;
  const vocabulary = `_vocabulary_${name}`;
  // A table of the connection's own, which only reads otherwise.
  await database.rows(statement('PRAGMA query_only = OFF'));
  await database.rows(statement(createVocabulary(collection, vocabulary)));
  let sum = 0;
  for await (const rows of database.stream(statement(`SELECT "term", "doc", "col" FROM temp.${quote(vocabulary)}`))) {
    for (const [term, created, column] of rows) {
      sum = (sum + numberOf(fold(String(term)), created, quote(String(column)))) % MODULUS;
    }
  }
  await database.rows(statement(`DROP TABLE temp.${quote(vocabulary)}`));
  return sum;
};

export interface TermsCheck {
  readonly row: (created: number, folded: readonly Cell[]) => void;
  /** Once all rows were looked at. */
  readonly findings: () => readonly Finding[];
}

/** Compares by sums, because what the index contains comes in another order. @returns `undefined` where there is no such index */
export const termsCheck = async (database: RawDatabase, collection: Collection): Promise<TermsCheck | undefined> => {
  if (database.isServer || !isIndexed(collection)) return undefined;
  const columns = collection.fields.filter(isFolded).map((field) => (field.searchable ? sortColumn(field) : undefined));
  const indexed = await indexedSum(database, collection);
  let left = indexed ?? Number.NaN;
  return {
    row: (created, folded) => {
      for (const [at, column] of columns.entries()) {
        if (column === undefined) continue;
        for (const term of new Set(splitTerms(String(folded[at] ?? '')))) {
          left = (left - numberOf(term, created, column)) % MODULUS;
        }
      }
    },
    findings: () => (left === 0 ? [] : [{ text: 'verify-words', values: { table: collection.name } }]),
  };
};

/** In one transaction, for which writers wait. */
export const renewTerms = async (database: RawDatabase, collection: Collection): Promise<void> => {
  const isThere = (await database.tables()).has(searchName(collection));
  if (!isThere) await database.prepare();
  await inChange(database, async () => {
    if (isThere) await database.rows(statement(rebuildSearchIndex(collection)));
  });
};
