import { type ColumnType, columnNames, marks, quote, type StoredTable } from './statement.ts';

/** All differences between the databases' SQL. */
export interface Dialect {
  readonly types: Readonly<Record<ColumnType, string>>;
  /** Type of the column `_created`. */
  readonly created: string;
  /** How an item's key is declared: SQLite's primary key is `_created`. */
  readonly key: 'UNIQUE' | 'PRIMARY KEY';
  /** The rows of an `INSERT`: one row, bound value by value, or any number of rows, bound column by column. */
  readonly boundRows: (types: readonly ColumnType[]) => string;
  /** SQL for a JSON array of these columns. */
  readonly asJson: (columns: string) => string;
  /** SQL for a JSON array with an array of these columns for each row, ordered by another column. */
  readonly rowsAsJson: (columns: string, order: string) => string;
}

export const sqlite: Dialect = {
  types: { TEXT: 'TEXT', INTEGER: 'INTEGER' },
  created: 'INTEGER PRIMARY KEY',
  key: 'UNIQUE',
  boundRows: ({ length }) => `VALUES (${marks(length)})`,
  asJson: (columns) => `json_array(${columns})`,
  rowsAsJson: (columns, order) => `json_group_array(json_array(${columns}) ORDER BY ${order})`,
};

const ARRAYS: Readonly<Record<ColumnType, string>> = { TEXT: 'text[]', INTEGER: 'bigint[]' };

export const postgres: Dialect = {
  // Texts compare by bytes, which is the order of code points, as in SQLite, whatever the database's locale.
  types: { TEXT: 'TEXT COLLATE "C"', INTEGER: 'BIGINT' },
  created: 'BIGINT NOT NULL',
  key: 'PRIMARY KEY',
  boundRows: (types) => `SELECT * FROM unnest(${types.map((type) => `?::${ARRAYS[type]}`).join(', ')})`,
  asJson: (columns) => `CAST(json_build_array(${columns}) AS TEXT)`,
  rowsAsJson: (columns, order) =>
    `coalesce(CAST(json_agg(json_build_array(${columns}) ORDER BY ${order}) AS TEXT), '[]')`,
};

/** @returns an `INSERT` of every column; what it binds depends on the dialect's `boundRows` */
export const insertInto = (dialect: Dialect, table: StoredTable): string => {
  const rows = dialect.boundRows(table.columns.map(({ type }) => type));
  return `INSERT INTO ${quote(table.name)} (${columnNames(table)}) ${rows}`;
};
