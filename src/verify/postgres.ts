/** PostgreSQL's own check, and its index of words. */
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { DatabaseError } from '../store/database-error.ts';
import { beginWords } from '../store/postgres/search/extend.ts';
import { EXISTING, NONE, numbersTable, wordsTable, wordsTableName } from '../store/postgres/search/tables.ts';
import { wordsOf } from '../store/postgres/search/triggers.ts';
import { CREATED } from '../store/sql/columns.ts';
import { quote, statement } from '../store/sql/statement.ts';
import type { DatabaseChecks, Finding } from './finding.ts';

const INDEXES = statement(
  `SELECT "c"."oid"::text FROM pg_index AS "i" JOIN pg_class AS "c" ON "c"."oid" = "i"."indexrelid" JOIN pg_am AS "a" ON "a"."oid" = "c"."relam"
  WHERE "a"."amname" = 'btree' AND "i"."indisvalid" AND "c"."relnamespace" = current_schema()::regnamespace ORDER BY "c"."relname"`,
);

const isInstalled = async (database: RawDatabase): Promise<boolean> =>
  (await database.rows(statement(`SELECT 1 FROM pg_extension WHERE extname = 'amcheck'`))).length > 0;

/** Compares every index with its table. */
const checkIndexes = async (database: RawDatabase): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const [oid] of await database.rows<[string]>(INDEXES)) {
    try {
      await database.rows(statement('SELECT bt_index_check(CAST(CAST(? AS BIGINT) AS regclass), true)', [Number(oid)]));
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      findings.push({ text: 'verify-own', values: { reason: error.message } });
    }
  }
  return findings;
};

export const postgresChecks: DatabaseChecks = {
  own: async (database) => {
    const isChecked = await isInstalled(database);
    return { findings: isChecked ? await checkIndexes(database) : [], damaged: new Set(), isChecked };
  },
  indexOf: (collection) => {
    const words = wordsTable(collection);
    // A deleted item keeps its bits, except in the row of the empty word, which tells what exists.
    const existing = `SELECT "chunk", "rest" AS "items" FROM ${words} WHERE "word" = ${EXISTING}`;
    const stored = `SELECT "word", "chunk", "main" & "items" AS "main", "rest" & "items" AS "rest" FROM ${words} LEFT JOIN (${existing}) AS "existing" USING ("chunk")`;
    const differs = ['"main"', '"rest"']
      .map((bits) => `coalesce("stored".${bits}, ${NONE}) <> coalesce("contained".${bits}, ${NONE})`)
      .join(' OR ');
    const unnumbered = `SELECT 1 FROM ${quote(collection.name)} WHERE NOT EXISTS (SELECT 1 FROM ${numbersTable(collection)} WHERE "created" = ${CREATED})`;
    const difference = statement(
      `${unnumbered} UNION ALL SELECT 1 FROM (${stored}) AS "stored" FULL JOIN (${wordsOf(collection)}) AS "contained" ("word", "chunk", "main", "rest") USING ("word", "chunk") WHERE ${differs} LIMIT 1`,
    );
    return {
      name: wordsTableName(collection),
      isRight: async (database) => (await database.rows(difference)).length === 0,
      empty: beginWords(collection),
    };
  },
};
