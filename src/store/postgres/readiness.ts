/** Whether writes can succeed, and what an operator has to do where they cannot. */
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { messageOf } from '../../gateway/port/unavailable.ts';
import { quote, statement } from '../sql/statement.ts';
import { CHANGE, idempotency, tombstones } from '../sql/system-tables.ts';
import { writeReport } from '../write-report.ts';
import { isDiskFull } from './connection/errors.ts';
import type { Pool } from './connection/pool.ts';

/** What a database does. */
interface Found {
  /** Whether it responds to reads. */
  readonly isRead: boolean;
  /** Why it takes no writes, with what to do. */
  readonly refuses: string | undefined;
}

/** Milliseconds between two checks whether a full disk has room again. */
const ROOM = 500;

const needs = (catalogue: Catalogue): readonly (readonly [table: string, right: string])[] => [
  [CHANGE, 'SELECT'],
  [CHANGE, 'UPDATE'],
  [tombstones.name, 'INSERT'],
  ...[idempotency.name, ...catalogue.map(({ name }) => name)].flatMap((table) =>
    ['SELECT', 'INSERT', 'UPDATE'].map((right) => [table, right] as const),
  ),
  ...[idempotency.name, tombstones.name, ...catalogue.map(({ name }) => name)].map(
    (table) => [table, 'DELETE'] as const,
  ),
];

const question = (catalogue: Catalogue) => {
  const rows = needs(catalogue).map(([table, right]) => `('${quote(table)}', '${right}')`);
  return statement(`SELECT
    CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE current_setting('default_transaction_read_only') END,
    current_user, current_schema(),
    (SELECT string_agg("right" || ' on ' || "table", ', ') FROM (VALUES ${rows.join(', ')}) AS "needs" ("table", "right")
     WHERE NOT has_table_privilege("table", "right"))`);
};

type Condition = readonly [mode: string, role: string, schema: string, missing: string | null];

/** @returns what the operator has to do, if anything */
const advice = ([mode, role, schema, missing]: Condition): string | undefined => {
  if (mode === 'standby') return 'it is a standby: lead DATABASE_URL to the primary, or promote it';
  if (mode === 'on') return 'it is read-only: switch default_transaction_read_only off';
  if (missing === null) return undefined;
  return `${role} lacks ${missing}: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO "${role}"`;
};

const FULL = 'its disk is full: make room';

/** Sorts more than fits into the memory that it allows, which takes some room on the disk. */
const needRoom = (pool: Pool): Promise<void> =>
  pool.use(async (connection) => {
    await connection.begin('READ ONLY');
    await connection.exec("SET LOCAL work_mem = '64kB'");
    await connection.exec(
      'SELECT max(t) FROM (SELECT md5(n::text) AS t FROM generate_series(1, 20000) AS n ORDER BY 1) AS s',
    );
    await connection.exec('COMMIT');
  });

/**
 * @param name of the database in the log
 * @param report called once when writes begin to fail, with what to do, and once when they may succeed again
 */
export const readinessOf = (pool: Pool, name: string, catalogue: Catalogue, report: (line: string) => void) => {
  const asked = question(catalogue);
  const log = writeReport((line) => report(`${name} ${line}`));
  let isReady = true;
  let isFull = false;
  let looked = 0;
  let checking: Promise<Found> | undefined;

  const hasRoom = async (): Promise<boolean> => {
    if (performance.now() - looked < ROOM) return false;
    looked = performance.now();
    isFull = await needRoom(pool).then(
      () => false,
      () => true,
    );
    return !isFull;
  };
  const look = async (): Promise<Found> => {
    try {
      const [condition] = await pool.read(({ rows }) => rows<Condition>(asked));
      const found = condition && advice(condition);
      return { isRead: true, refuses: found ?? (isFull && !(await hasRoom()) ? FULL : undefined) };
    } catch (error) {
      return { isRead: false, refuses: isFull ? FULL : `it does not do its work: ${messageOf(error)}` };
    }
  };
  const lookAndTell = async (): Promise<Found> => {
    const found = await look();
    isReady = found.refuses === undefined;
    if (found.refuses !== undefined) log.failed(found.refuses);
    else log.succeeded();
    checking = undefined;
    return found;
  };
  return {
    /** Asks the database, without writing. @param toWrite whether it must take writes, too */
    check: async (toWrite: boolean): Promise<boolean> => {
      checking ??= lookAndTell();
      const { isRead, refuses } = await checking;
      return toWrite ? refuses === undefined : isRead;
    },
    wrote: (): void => {
      isFull = false;
      log.succeeded();
    },
    /** Only a write that fails shows that the disk is full. */
    failed: (error: unknown): void => {
      if (isDiskFull(error)) isFull = true;
      // Reported at once, even if nobody asks for readiness.
      if (isReady) checking ??= lookAndTell();
    },
  };
};
