/** Stored totals. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import { countAnew, countedIn, selectWrongTotals } from '../../store/sql/system/totals.ts';
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
