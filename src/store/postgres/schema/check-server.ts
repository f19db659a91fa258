import { DatabaseError } from '../../database-error.ts';
import { statement } from '../../sql/statement.ts';
import { type Reader, settleAll } from '../connection/connection.ts';
import { isStatementPooled, isUnprepared } from '../connection/errors.ts';
import type { Pool } from '../connection/pool.ts';

const ENCODING = statement("SELECT current_setting('server_encoding')");

/** @throws DatabaseError where the database, or a pooler in front of it, cannot be used */
export const checkServer = async (reader: Reader): Promise<void> => {
  const [[encoding] = ['']] = await reader.rows<[string]>(ENCODING).catch((error: unknown) => {
    if (!isStatementPooled(error)) throw error;
    throw new DatabaseError(
      'stands behind a pooler that allows no transactions: its pool_mode must not be "statement"',
    );
  });
  if (encoding === 'UTF8') return;
  throw new DatabaseError(`is encoded in ${encoding}, not in UTF8: create it with ENCODING 'UTF8' TEMPLATE template0`);
};

const PROBE = statement('SELECT 1 WHERE 1 = ?', [1]);

/**
 * Prepares a statement on two connections. A pooler in transaction mode gives the server connection of one to the other.
 *
 * @param pool of at least two connections that may prepare
 * @throws DatabaseError where a prepared statement is lost
 */
export const checkPrepared = (pool: Pool): Promise<void> =>
  pool.hold(async (first) =>
    pool.hold(async (second) => {
      try {
        // Until the text has a name.
        await settleAll([1, 2, 3].map(() => first.connection.rows(PROBE)));
        await settleAll([second.connection.begin('READ ONLY'), second.connection.rows(PROBE)]);
        await first.connection.rows(PROBE);
        await second.connection.exec('COMMIT');
      } catch (error) {
        if (!isUnprepared(error)) throw error;
        throw new DatabaseError(
          'stands behind a pooler that loses prepared statements: DATABASE_PREPARE must be auto or off',
        );
      }
      for (const { release } of [first, second]) release(true);
    }),
  );
