/** The tables that a transfer copies, and the statements that read them; the same for every database. */
import { commandError } from '../commands/command-error.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import { tableOf } from '../store/sql/columns.ts';
import { marks, quote, type Statement, statement } from '../store/sql/statement.ts';
import { idempotency, keys, tombstones, totals } from '../store/sql/system-tables.ts';
import { columnNames, type StoredTable } from '../store/sql/tables.ts';
import type { RawDatabase } from './raw-database.ts';

/** @returns the collections in creation order, parents first; then the service's own tables */
export const tablesOf = (catalogue: Catalogue): readonly StoredTable[] => [
  ...catalogue.map(tableOf),
  tombstones,
  totals,
  keys,
  idempotency,
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

/** @throws CommandError where one of them, or a column, is missing, as in a database that an earlier version wrote last */
export const checkTables = async ({ rows }: RawDatabase, tables: readonly StoredTable[]): Promise<void> => {
  for (const table of tables) {
    await rows(statement(`SELECT ${columnNames(table)} FROM ${quote(table.name)} LIMIT 0`)).catch((error: Error) => {
      throw commandError('source-old', { reason: error.message }, error);
    });
  }
};
