/** Change numbers, and whatever refers to them. */
import type { Catalogue, Collection } from '../model/catalogue.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { changeAt } from '../store/change-set.ts';
import { CREATED, PARENT, REVISION } from '../store/sql/columns.ts';
import { quote, statement } from '../store/sql/statement.ts';
import { CHANGE, readChange, tombstones, writeChange } from '../store/sql/system-tables.ts';
import type { Finding } from './finding.ts';

/** Waits for the current writer, and blocks the next. */
const LOCK = `UPDATE ${quote(CHANGE)} SET "number" = "number" RETURNING "number"`;

/**
 * Runs work in a transaction that blocks other writers and takes a change number, which invalidates lists cached by clients and
 * the service.
 *
 * @param least the number is not below this one
 */
export const inChange = (database: RawDatabase, work: () => Promise<void>, least = 0): Promise<void> =>
  database.transaction(async () => {
    const [[last = 0] = []] = await database.rows<[number]>(statement(LOCK));
    await database.rows(statement(writeChange, [Math.max(last + 1, least, changeAt(Date.now()))]));
    await work();
  });

const numberIn = async (database: RawDatabase, sql: string): Promise<number> =>
  Number((await database.rows<[number | null]>(statement(sql)))[0]?.[0] ?? 0);

const revisionFindings = async (database: RawDatabase, { name }: Collection): Promise<readonly Finding[]> => {
  const table = quote(name);
  const repeated = await numberIn(database, `SELECT count(*) - count(DISTINCT ${REVISION}) FROM ${table}`);
  const early = await numberIn(database, `SELECT count(*) FROM ${table} WHERE ${REVISION} < ${CREATED}`);
  const rows = repeated + early;
  return rows === 0 ? [] : [{ text: 'verify-revisions', values: { table: name, rows } }];
};

const tombstoneFindings = async (
  database: RawDatabase,
  { name, key, parent }: Collection,
): Promise<readonly Finding[]> => {
  const isSame = parent ? `"t"."parent" = "c".${PARENT}` : '"t"."parent" IS NULL';
  const rows = await numberIn(
    database,
    `SELECT count(*) FROM ${quote(tombstones.name)} AS "t" JOIN ${quote(name)} AS "c" ON "t"."key" = "c".${quote(key.name)} AND ${isSame} WHERE "t"."collection" = '${name}' AND "t"."number" > "c".${CREATED}`,
  );
  return rows === 0 ? [] : [{ text: 'verify-tombstones', values: { table: name, rows } }];
};

/** @returns the latest number that anything refers to */
const lastNumber = async (database: RawDatabase, catalogue: Catalogue): Promise<number> => {
  const places = catalogue.flatMap(({ name }) => [CREATED, REVISION].map((column) => [name, column] as const));
  const numbers: number[] = [];
  for (const [table, column] of [...places, [tombstones.name, '"number"'] as const]) {
    numbers.push(await numberIn(database, `SELECT max(${column}) FROM ${quote(table)}`));
  }
  return Math.max(...numbers);
};

export const changeFindings = async (database: RawDatabase, catalogue: Catalogue): Promise<readonly Finding[]> => {
  const number = await numberIn(database, readChange);
  const last = await lastNumber(database, catalogue);
  const findings: Finding[] = [];
  if (number < last) {
    const repair = (target: RawDatabase) => inChange(target, async () => {}, last + 1);
    findings.push({ text: 'verify-change', values: { number: String(number), last: String(last) }, repair });
  }
  for (const collection of catalogue) {
    findings.push(
      ...(await revisionFindings(database, collection)),
      ...(await tombstoneFindings(database, collection)),
    );
  }
  return findings;
};
