/** What follows from all items of a collection together: its totals, and SQLite's index of terms. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import { searchName } from '../../store/sql/search.ts';
import { statement } from '../../store/sql/statement.ts';
import { countAnew, countedIn, selectWrongTotals } from '../../store/sql/system/totals.ts';
import { isDamaged } from '../../store/sqlite/connection/errors.ts';
import { checkSearchIndex, isIndexed, rebuildSearchIndex } from '../../store/sqlite/schema/search-index.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { type Finding, inChange } from './findings.ts';

type Wrong = readonly [field: string, value: string, kept: number, counted: number];

export const totalsFindings = async (database: RawDatabase, collection: Collection): Promise<readonly Finding[]> => {
  const wrong: Wrong[] = [];
  for (const field of countedIn(collection)) {
    wrong.push(...(await database.rows<Wrong>(selectWrongTotals(collection, field))));
  }
  const [first] = wrong;
  if (!first) return [];
  const [field, value, found, expected] = first;
  const values = { table: collection.name, totals: wrong.length, key: JSON.stringify([field, value]), found, expected };
  return [{ text: 'verify-totals', values }];
};

/** In a transaction for each field, for which writers wait. */
export const renewTotals = async (database: RawDatabase, collection: Collection): Promise<void> => {
  for (const field of countedIn(collection)) {
    await inChange(database, async () => {
      for (const each of countAnew(collection, field)) await database.rows(each);
    });
  }
};

const hasIndex = async (database: RawDatabase, collection: Collection): Promise<boolean> =>
  (await database.tables()).has(searchName(collection));

/** PostgreSQL keeps its own right. Writers wait meanwhile, although nothing is written. */
export const termsFindings = async (database: RawDatabase, collection: Collection): Promise<readonly Finding[]> => {
  if (database.isServer || !isIndexed(collection)) return [];
  const wrong: readonly Finding[] = [{ text: 'verify-words', values: { table: collection.name } }];
  if (!(await hasIndex(database, collection))) return wrong;
  await database.exec('PRAGMA query_only = OFF');
  try {
    await database.exec(checkSearchIndex(collection));
    return [];
  } catch (error) {
    if (error instanceof Error && isDamaged(error.cause)) return wrong;
    throw error;
  } finally {
    await database.exec('PRAGMA query_only = ON');
  }
};

/** In one transaction, for which writers wait. */
export const renewTerms = async (database: RawDatabase, collection: Collection): Promise<void> => {
  const isThere = await hasIndex(database, collection);
  if (!isThere) await database.prepare();
  await inChange(database, async () => {
    if (isThere) await database.rows(statement(rebuildSearchIndex(collection)));
  });
};
