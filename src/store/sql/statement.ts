import type { Cell } from '../../gateway/model/field.ts';

/** SQL with a `?` for each value. Client text is always bound as a value, never part of the SQL. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Cell[];
}

export const statement = (sql: string, values: readonly Cell[] = []): Statement => ({ sql, values });

/** Quotes a name, which must come from the catalogue or from our own code. */
export const quote = (name: string): string => `"${name}"`;

/** @param count at least 1 */
export const marks = (count: number): string => `?${', ?'.repeat(count - 1)}`;
