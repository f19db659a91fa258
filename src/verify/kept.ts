/** What the service keeps beside the items: change numbers, deletions, results of requests that may be sent again. */
import type { Catalogue, Collection } from '../model/catalogue.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { CREATED, PARENT, REVISION } from '../store/sql/columns.ts';
import { quote, statement } from '../store/sql/statement.ts';
import { idempotency, readChange, tombstones } from '../store/sql/system-tables.ts';
import { type Finding, inChange } from './finding.ts';

const numberIn = async (database: RawDatabase, sql: string): Promise<number> =>
  Number((await database.rows<[number | null]>(statement(sql)))[0]?.[0] ?? 0);

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

const isReadable = (result: string): boolean => {
  try {
    return typeof JSON.parse(result) === 'object';
  } catch {
    return false;
  }
};

const unreadableResults = async (database: RawDatabase): Promise<number> => {
  let wrong = 0;
  const all = statement(`SELECT "result", "expires" FROM ${quote(idempotency.name)}`);
  for await (const rows of database.stream(all)) {
    wrong += rows.filter(([result, expires]) => !isReadable(String(result)) || Number(expires) <= 0).length;
  }
  return wrong;
};

export const keptFindings = async (database: RawDatabase, catalogue: Catalogue): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  const number = await numberIn(database, readChange);
  const last = await numberIn(database, lastNumber(catalogue));
  if (number < last) {
    const repair = (target: RawDatabase) => inChange(target, async () => {}, last + 1);
    findings.push({ text: 'verify-change', values: { number: String(number), last: String(last) }, repair });
  }
  for (const collection of catalogue) {
    for (const [text, sql] of [
      ['verify-revisions', wrongRevisions(collection)],
      ['verify-tombstones', wrongTombstones(collection)],
    ] as const) {
      const rows = await numberIn(database, sql);
      if (rows > 0) findings.push({ text, values: { table: collection.name, rows } });
    }
  }
  const rows = await unreadableResults(database);
  return rows === 0 ? findings : [...findings, { text: 'verify-idempotency', values: { rows } }];
};
