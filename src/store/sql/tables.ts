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
  /** The columns that rows are ordered by. Together they are unique. */
  readonly order: readonly string[];
}

export const columnNames = ({ columns }: StoredTable): string => columns.map(({ name }) => name).join(', ');

/** @returns an `INSERT` of every column; what it binds depends on the dialect's `boundRows` */
export const insertInto = (dialect: Dialect, table: StoredTable): string => {
  const rows = dialect.boundRows(table.columns.map(({ type }) => type));
  return `INSERT INTO ${quote(table.name)} (${columnNames(table)}) ${rows}`;
};
