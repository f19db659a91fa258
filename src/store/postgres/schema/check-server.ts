import { DatabaseError } from '../../database-error.ts';
import { statement } from '../../sql/statement.ts';
import type { Reader } from '../connection/connection.ts';
import { isStatementPooled } from '../connection/errors.ts';

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
