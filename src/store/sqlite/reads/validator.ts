import type { Validator } from '../../port.ts';
import type { SqlOf } from '../../sql/items.ts';
import { readChange } from '../../sql/system-tables.ts';
import type { Connection } from '../connection/connection.ts';

/**
 * A database that cannot be read knows nothing: then the item is read, which reports why.
 *
 * @param main the store's own connection
 * @param readVersion a statement whose result differs after every commit
 * @param use throws where the database must not be used
 */
export const validatorOf = (
  main: Connection,
  sql: SqlOf,
  readVersion: string,
  use: <T>(work: () => T) => T,
): Validator => {
  const numberOf = (...read: Parameters<Connection['row']>): number | undefined => {
    try {
      return use(() => main.row<[number]>(...read)?.[0]);
    } catch {
      return undefined;
    }
  };
  return {
    dataVersion: () => numberOf(readVersion, []),
    lastChange: () => numberOf(readChange, []),
    revision: (collection, keys) => numberOf(sql(collection).revision, keys),
  };
};
