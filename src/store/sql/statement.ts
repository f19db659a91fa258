import type { Cell } from '../../model/field.ts';

/** SQL with a `?` for each value. Client text is always bound as a value, never part of the SQL. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Cell[];
}

export const statement = (sql: string, values: readonly Cell[] = []): Statement => ({ sql, values });

/** Names come from the catalogue and from our own code only. */
export const quote = (name: string): string => `"${name}"`;

export const marks = (count: number): string => Array(count).fill('?').join(', ');
