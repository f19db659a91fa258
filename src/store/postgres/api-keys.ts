import type { ApiKeyStore } from '../clients.ts';
import { insertInto, postgres } from '../sql/dialects.ts';
import { deleteKey, keyValues, SELECT_KEYS, storedKeyOf } from '../sql/system/api-keys.ts';
import { keys } from '../sql/system-tables.ts';
import { type BatchStatement, inOwnTransaction, READ_COMMITTED } from './connection/connection.ts';
import type { Pool } from './connection/pool.ts';

const INSERT = insertInto(postgres, keys);

export const postgresApiKeys = (pool: Pool): ApiKeyStore => {
  /** In a transaction of its own, never tried again: a second `INSERT` of one key would fail. */
  const write = (change: BatchStatement): Promise<readonly unknown[]> =>
    pool.use((connection) => inOwnTransaction(connection, READ_COMMITTED).rows(change), { mayRetry: () => false });
  return {
    all: async () =>
      (await pool.read((reader) => reader.rows<Parameters<typeof storedKeyOf>[0]>(SELECT_KEYS))).map(storedKeyOf),
    add: async (key) => void (await write({ sql: INSERT, values: keyValues(key).map((cell) => [cell]) })),
    remove: async (id) => (await write(deleteKey(id))).length > 0,
  };
};
