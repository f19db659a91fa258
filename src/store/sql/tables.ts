import type { ColumnType, Dialect } from './dialects.ts';
import { quote } from './statement.ts';

export interface Column {
  /** Quoted. */
  readonly name: string;
  readonly type: ColumnType;
}

/** A table as data. */
export interface StoredTable {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The columns by which rows are ordered; no two rows are equal in them. */
  readonly order: readonly string[];
}

export const columnNames = ({ columns }: StoredTable): string => columns.map(({ name }) => name).join(', ');

/** Binds the values of every column, as the dialect's `boundRows` has them. */
export const insertInto = (dialect: Dialect, table: StoredTable): string => {
  const rows = dialect.boundRows(table.columns.map(({ type }) => type));
  return `INSERT INTO ${quote(table.name)} (${columnNames(table)}) ${rows}`;
};
