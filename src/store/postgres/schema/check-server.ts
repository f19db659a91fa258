import { DatabaseError } from '../../database-error.ts';
import { statement } from '../../sql/statement.ts';
import type { Reader } from '../connection/connection.ts';

const ENCODING = statement("SELECT current_setting('server_encoding')");

/** @throws DatabaseError where the database cannot be used */
export const checkServer = async (reader: Reader): Promise<void> => {
  const [[encoding] = ['']] = await reader.rows<[string]>(ENCODING);
  if (encoding === 'UTF8') return;
  throw new DatabaseError(`is encoded in ${encoding}, not in UTF8: create it with ENCODING 'UTF8' TEMPLATE template0`);
};
