import { marks } from './statement.ts';

export type ColumnType = 'TEXT' | 'INTEGER';

/** All that differs in the SQL that is written for every database. */
export interface Dialect {
  readonly types: Readonly<Record<ColumnType, string>>;
  /** Type of the number of creation. */
  readonly created: string;
  /** What an item's own key is. SQLite finds rows by their number of creation, PostgreSQL by this. */
  readonly key: 'UNIQUE' | 'PRIMARY KEY';
  /** The rows of an `INSERT`: one, bound value by value, or any number, bound column by column. */
  readonly boundRows: (types: readonly ColumnType[]) => string;
}

export const sqlite: Dialect = {
  types: { TEXT: 'TEXT', INTEGER: 'INTEGER' },
  created: 'INTEGER PRIMARY KEY',
  key: 'UNIQUE',
  boundRows: ({ length }) => `VALUES (${marks(length)})`,
};

const ARRAYS: Readonly<Record<ColumnType, string>> = { TEXT: 'text[]', INTEGER: 'bigint[]' };

export const postgres: Dialect = {
  // Texts compare by their bytes, and so in the order of code points, as in SQLite and in each language alike.
  types: { TEXT: 'TEXT COLLATE "C"', INTEGER: 'BIGINT' },
  created: 'BIGINT NOT NULL',
  key: 'PRIMARY KEY',
  boundRows: (types) => `SELECT * FROM unnest(${types.map((type) => `?::${ARRAYS[type]}`).join(', ')})`,
};

/** Compares texts by their bytes without being told, and takes no such clause on a column. */
export const cockroach: Dialect = { ...postgres, types: { TEXT: 'TEXT', INTEGER: 'BIGINT' } };
