/** PostgreSQL's own check. */
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { DatabaseError } from '../store/database-error.ts';
import { statement } from '../store/sql/statement.ts';
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
};
