import type { Cell } from '../../model/field.ts';

/** SQL as a value: client text only ever travels as a bound value, for which a `?` stands. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Cell[];
}

export const statement = (sql: string, values: readonly Cell[] = []): Statement => ({ sql, values });

/** Names come from the catalogue and from our own code only. */
export const quote = (name: string): string => `"${name}"`;

export const marks = (count: number): string => Array(count).fill('?').join(', ');
