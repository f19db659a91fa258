/** The tables that a transfer copies, and the statements that read them; the same for every database. */

import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import {
  columnNames,
  marks,
  quote,
  type Statement,
  type StoredTable,
  statement,
  tableOf,
} from '../../store/sql/statement.ts';
import { CHANGE, hooks, idempotency, keys, tombstones, totals } from '../../store/sql/system-tables.ts';
import { commandError } from '../commands/command-error.ts';
import type { RawDatabase } from './raw-database.ts';

/** @returns the collections in creation order, parents first; then the service's own tables */
const tablesOf = (catalogue: Catalogue): readonly StoredTable[] => [
  ...catalogue.map(tableOf),
  tombstones,
  totals,
  keys,
  idempotency,
  hooks,
];

/** @param after where to resume: the last row's values of `order`; all rows by default. @param most rows */
export const readRows = (table: StoredTable, after: readonly Cell[] = [], most?: number): Statement => {
  const order = table.order.join(', ');
  const rest = after.length === 0 ? '' : ` WHERE (${order}) > (${marks(after.length)})`;
  return statement(
    `SELECT ${columnNames(table)} FROM ${quote(table.name)}${rest} ORDER BY ${order}${most ? ` LIMIT ${most}` : ''}`,
    after,
  );
};

/** @returns the only number that a statement reads; 0 where there is none */
export const numberIn = async ({ rows }: RawDatabase, sql: string): Promise<number> =>
  Number((await rows<[number | null]>(statement(sql)))[0]?.[0] ?? 0);

/**
 * @throws CommandError or DatabaseError where a database is no whole catalogue: another program's, empty, or one that
 * an earlier version wrote last, which lacks tables or columns
 */
export const checkWhole = async (database: RawDatabase, catalogue: Catalogue): Promise<void> => {
  await database.check();
  const names = await database.tables();
  if (!names.has(CHANGE)) throw commandError('file-empty', { file: database.name });
  for (const table of tablesOf(catalogue)) {
    await database
      .rows(statement(`SELECT ${columnNames(table)} FROM ${quote(table.name)} LIMIT 0`))
      .catch((error: Error) => {
        throw commandError('source-old', { reason: error.message }, error);
      });
  }
};
