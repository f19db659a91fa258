/** The row that contains the version of the schema. Instances that start at the same time take turns by locking it. */
import { quote, statement } from '../../sql/statement.ts';
import { migrations, REGISTER } from '../../sql/system-tables.ts';
import type { Connection } from '../connection/connection.ts';
import { isDuplicate, isReported, isTransient } from '../connection/errors.ts';
import { APPLICATION } from './inspect.ts';

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

export const WRITE_VERSION = statement(`UPDATE ${quote(REGISTER)} SET "version" = ?`, [migrations.length]);

/**
 * Blocks other instances that start until the transaction ends. Returns no row where another instance has locked it: a session that waits in the database delays the creation of indexes. So
 * would a bound statement, whose snapshot lasts until the next one.
 */
export const TRY_REGISTER = `SELECT 1 FROM ${quote(REGISTER)} WHERE "application" = '${APPLICATION}' FOR UPDATE SKIP LOCKED`;
