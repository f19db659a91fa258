import { DatabaseError } from '../../database-error.ts';
import type { Index } from '../schema.ts';
import { quote, type Statement, statement } from '../statement.ts';

/** Repeated values that an error lists. */
const LISTED = 10;

/** @returns reads values that several rows have, and how many, where an index does not allow that */
export const selectRepeated = ({ table, columns, unique }: Index): Statement | undefined =>
  unique === undefined
    ? undefined
    : statement(
        `SELECT CAST(min(${quote(unique)}) AS TEXT), CAST(count(*) AS TEXT) FROM ${quote(table)} WHERE ${columns[0]} IS NOT NULL GROUP BY ${columns[0]} HAVING count(*) > 1 ORDER BY 1 LIMIT ${LISTED + 1}`,
      );

/** @throws DatabaseError for values that several rows have, although the catalogue says that they differ */
export const refuseRepeated = (
  { table, unique }: Index,
  repeated: readonly (readonly [value: string, rows: string])[],
): void => {
  if (repeated.length === 0) return;
  const listed = repeated.slice(0, LISTED).map(([value, rows]) => `"${value}" (rows: ${rows})`);
  const more = repeated.length > LISTED ? ', …' : '';
  throw new DatabaseError(
    `the catalogue says that "${unique}" of ${table} is unique, but values of it repeat: ${listed.join(', ')}${more}; change these rows first, with a catalogue that does not say so`,
  );
};
