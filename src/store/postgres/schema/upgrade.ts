/**
 * Adds what a newer catalogue needs to a database that other instances use meanwhile. It blocks nobody for longer than
 * `LOCK_MS`, and waits for readers as long as it takes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createIndex, refuseRepeated, selectRepeated } from '../../sql/schema.ts';
import { quote, type Statement, statement } from '../../sql/statement.ts';
import { migrations, REGISTER } from '../../sql/system-tables.ts';
import { type Connection, inOwnTransaction, type Reader } from '../connection/connection.ts';
import { isDuplicate, isLocked, isReported, isTransient } from '../connection/errors.ts';
import type { Pool } from '../connection/pool.ts';
import { APPLICATION, type ExistingSchema } from './inspect.ts';
import type { Missing } from './missing.ts';

/** Milliseconds to wait for the lock of a table, while all later statements wait behind it; and between two attempts. */
const LOCK_MS = 100;
const PAUSE_MS = 1_000;
/** One in so many failed attempts is reported, beginning with the first. */
const REPORT_EVERY = 60;
/** Milliseconds between two checks whether another instance has finished. */
const TURN_MS = 200;

/** Creates the row that starting instances lock. Where several try at once, some of them fail a few times. */
export const register = async (connection: Connection, tries = 10): Promise<void> => {
  try {
    await connection.exec(
      `CREATE TABLE IF NOT EXISTS ${quote(REGISTER)} ("application" TEXT PRIMARY KEY, "version" BIGINT NOT NULL)`,
    );
    await connection.exec(
      `INSERT INTO ${quote(REGISTER)} VALUES ('${APPLICATION}', 0) ON CONFLICT ("application") DO NOTHING`,
    );
  } catch (error) {
    if (tries === 1 || !isReported(error) || !(isDuplicate(error) || isTransient(error))) throw error;
    await register(connection, tries - 1);
  }
};

const WRITE_VERSION = statement(`UPDATE ${quote(REGISTER)} SET "version" = ?`, [migrations.length]);

/**
 * Blocks other instances that start until the transaction ends. Returns no row where another instance has locked it: a session that waits in the database delays the creation of indexes. So
 * would a bound statement, whose snapshot lasts until the next one.
 */
const TRY_REGISTER = `SELECT 1 FROM ${quote(REGISTER)} WHERE "application" = '${APPLICATION}' FOR UPDATE SKIP LOCKED`;

const transaction = async (connection: Connection, statements: readonly Statement[]): Promise<void> => {
  await connection.begin();
  try {
    await connection.exec(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    for (const each of statements) await connection.rows(each);
    await connection.exec('COMMIT');
  } catch (error) {
    await connection.exec('ROLLBACK').catch(() => {});
    throw error;
  }
};

/** Repeats an attempt until no other lock prevents it. */
const retrying = async (
  connection: Connection,
  statements: readonly Statement[],
  onLocked: () => void,
): Promise<void> => {
  for (let tries = 0; ; tries++) {
    try {
      return await transaction(connection, statements);
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (tries % REPORT_EVERY === 0) onLocked();
      await sleep(PAUSE_MS);
    }
  }
};

/** Waits until no other instance that starts has the lock. */
const lockRegister = async (connection: Connection): Promise<void> => {
  for (;;) {
    await connection.begin();
    const rows = await connection.fetch(TRY_REGISTER);
    if (rows.length > 0) return;
    await connection.exec('ROLLBACK');
    await sleep(TURN_MS);
  }
};

const addMissing = async (
  connection: Connection,
  { found, missing }: { readonly found: ExistingSchema; readonly missing: Missing },
  report: (line: string) => void,
): Promise<void> => {
  for (const [table, statements] of missing.tables) {
    const waits = `the upgrade waits for whoever reads the table ${quote(table)}, such as a backup: pg_stat_activity tells who`;
    await retrying(connection, statements, () => report(waits));
  }
  for (const name of missing.obsolete) await connection.exec(`DROP INDEX CONCURRENTLY IF EXISTS ${quote(name)}`);
  for (const index of missing.indexes) {
    const { name } = index;
    // An index whose creation was interrupted exists, but is invalid.
    if (found.invalid.has(name)) await connection.exec(`DROP INDEX CONCURRENTLY IF EXISTS ${quote(name)}`);
    const repeated = selectRepeated(index);
    if (repeated) refuseRepeated(index, await connection.rows<[string, string]>(repeated));
    report(`the upgrade makes the index ${quote(name)}, while others read and write`);
    await connection.exec(createIndex(index, 'CONCURRENTLY '));
  }
};

/**
 * @param connection its lock keeps other instances from doing the same
 * @param compare finds what exists and what is missing
 * @param report called with a line about what it does or waits for
 */
export const upgrade = async (
  pool: Pool,
  connection: Connection,
  compare: (reader: Reader) => Promise<{ readonly found: ExistingSchema; readonly missing: Missing }>,
  report: (line: string) => void,
): Promise<void> => {
  await lockRegister(connection);
  await pool.use(async (worker) => {
    const reader = inOwnTransaction(worker);
    const { renames } = (await compare(reader)).missing;
    if (renames.length > 0)
      await retrying(worker, renames, () => report('the upgrade waits for whoever reads a table that it renames'));
    await addMissing(worker, await compare(reader), report);
  });
  await connection.rows(WRITE_VERSION);
  await connection.exec('COMMIT');
};

/**
 * Drops tables that nothing uses any more. They stay until a later start where that is not possible now, because a backup reads
 * one of them or the role does not own it.
 */
export const dropUnused = async (connection: Connection, tables: readonly string[]): Promise<void> => {
  if (tables.length === 0) return;
  await transaction(
    connection,
    tables.map((table) => statement(`DROP TABLE IF EXISTS ${quote(table)}`)),
  ).catch((error: unknown) => {
    if (!isReported(error)) throw error;
  });
};
