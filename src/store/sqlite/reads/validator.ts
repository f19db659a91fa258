import type { Validator } from '../../port.ts';
import type { SqlOf } from '../../sql/items.ts';
import { readChange } from '../../sql/system-tables.ts';
import type { Connection } from '../connection/connection.ts';

/** @param main the store's own connection */
export const validatorOf = (main: Connection, sql: SqlOf): Pick<Validator, 'lastChange' | 'revision'> => ({
  lastChange: () => main.row<[number]>(readChange, [])?.[0] ?? 0,
  revision: (collection, keys) => main.row<[number]>(sql(collection).revision, keys)?.[0],
});
