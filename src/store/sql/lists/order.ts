import type { Field } from '../../../gateway/model/field.ts';
import type { Sort } from '../../../gateway/model/query.ts';
import { CREATED, sortColumn } from '../statement.ts';

export const directed = (column: string, { direction }: Pick<Sort, 'direction'>): string =>
  direction === 'desc' ? `${column} DESC` : column;

/** Rows of an earlier catalogue may lack a field that is required today, but never the key. */
export const mayLack = ({ isKey }: Field): boolean => !isKey;

/** Rows that are equal in all that they are sorted by: missing values are in creation order, whatever the direction. */
const creationAfter = ({ field, direction }: Sort): string =>
  direction === 'desc' && mayLack(field)
    ? `CASE WHEN ${sortColumn(field)} IS NULL THEN ${CREATED} ELSE -${CREATED} END`
    : directed(CREATED, { direction });

/** The order among rows that are equal in the first field, for which no index is of use. */
export const orderAfter = (sorts: readonly Sort[]): readonly string[] => [
  ...sorts.map((sort) => directed(sortColumn(sort.field), sort) + (mayLack(sort.field) ? ' NULLS LAST' : '')),
  ...sorts.slice(-1).map(creationAfter),
];
