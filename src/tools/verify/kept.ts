/** What the service keeps beside the items: change numbers and deletions. */
import type { Catalogue, Collection } from '../../gateway/model/catalogue.ts';
import { CREATED, PARENT, quote, REVISION } from '../../store/sql/statement.ts';
import { readChange, tombstones } from '../../store/sql/system-tables.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { numberIn } from '../raw-database/tables.ts';
import type { Finding } from './findings.ts';

/** @returns SQL of the number of rows whose revision another one has, too, or is from before their creation */
const wrongRevisions = ({ name }: Collection): string =>
  `SELECT count(*) - count(DISTINCT ${REVISION}) + count(CASE WHEN ${REVISION} < ${CREATED} THEN 1 END) FROM ${quote(name)}`;

/** @returns SQL of the number of rows that exist although they were deleted after their creation */
const wrongTombstones = ({ name, key, parent }: Collection): string => {
  const isSame = parent ? `"t"."parent" = "c".${PARENT}` : '"t"."parent" IS NULL';
  return `SELECT count(*) FROM ${quote(tombstones.name)} AS "t" JOIN ${quote(name)} AS "c" ON "t"."key" = "c".${quote(key.name)} AND ${isSame} WHERE "t"."collection" = '${name}' AND "t"."number" > "c".${CREATED}`;
};

/** @returns SQL of the latest number that anything refers to */
const lastNumber = (catalogue: Catalogue): string => {
  const of = (column: string, table: string): string => `SELECT max(${column}) AS "number" FROM ${quote(table)}`;
  const all = catalogue.flatMap(({ name }) => [of(CREATED, name), of(REVISION, name)]);
  return `SELECT max("number") FROM (${[...all, of('"number"', tombstones.name)].join(' UNION ALL ')}) AS "all"`;
};

export const keptFindings = async (database: RawDatabase, catalogue: Catalogue): Promise<readonly Finding[]> => {
  const number = await numberIn(database, readChange);
  const last = await numberIn(database, lastNumber(catalogue));
  const findings: Finding[] =
    number < last ? [{ text: 'verify-change', values: { number: String(number), last: String(last) } }] : [];
  const found = (text: Finding['text'], rows: number, more = {}): void => {
    if (rows > 0) findings.push({ text, values: { rows, ...more } });
  };
  for (const collection of catalogue) {
    const table = { table: collection.name };
    found('verify-revisions', await numberIn(database, wrongRevisions(collection)), table);
    found('verify-tombstones', await numberIn(database, wrongTombstones(collection)), table);
  }
  return findings;
};
