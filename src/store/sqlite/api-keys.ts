import type { ApiKeyStore } from '../clients.ts';
import { insertInto, sqlite } from '../sql/dialects.ts';
import { deleteKey, keyValues, SELECT_KEYS, storedKeyOf } from '../sql/system/api-keys.ts';
import { keys } from '../sql/system-tables.ts';
import type { Connection } from './connection/connection.ts';

const INSERT = insertInto(sqlite, keys);

/**
 * @param connection writes beside the commit queue, which a key has nothing to do with
 * @param use does work on the database
 */
export const sqliteApiKeys = (connection: Connection, use: <T>(work: () => T) => T): ApiKeyStore => ({
  all: () => use(() => connection.rows<Parameters<typeof storedKeyOf>[0]>(SELECT_KEYS).map(storedKeyOf)),
  add: (key) => use(() => void connection.run(INSERT, keyValues(key))),
  remove: (id) => use(() => connection.rows(deleteKey(id)).length > 0),
});
