/** The `WHERE` clause that selects the rows of a list. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import type { Filter } from '../../gateway/model/query.ts';
import { foldCell } from '../../gateway/model/search/fold.ts';
import type { Keys } from '../../gateway/port/port.ts';
import { PARENT, sortColumn } from './columns.ts';
import { marks, type Statement, statement } from './statement.ts';

/** A filter's values in the form that `sortColumn` has. */
export const valuesOf = ({ values }: Filter): readonly Cell[] =>
  values.length === 1 ? values.map(foldCell) : [...new Set(values.map(foldCell))];

const conditions: Readonly<Record<Filter['operator'], (column: string, values: readonly Cell[]) => string>> = {
  equals: (column, { length }) => (length === 1 ? `${column} = ?` : `${column} IN (${marks(length)})`),
  from: (column) => `${column} >= ?`,
  to: (column) => `${column} <= ?`,
};

const condition = (filter: Filter): Statement => {
  const values = valuesOf(filter);
  return statement(conditions[filter.operator](sortColumn(filter.field), values), values);
};

/** Conditions besides those of the list and its filters, as SQL. */
interface ExtraConditions {
  readonly first?: string | undefined;
  readonly matching?: Statement | undefined;
  readonly last?: readonly (Statement | undefined)[];
}

/** @returns a `WHERE` clause, or an empty text */
export const scope = (
  { parent }: Collection,
  parents: Keys,
  filters: readonly Filter[],
  { first, matching, last = [] }: ExtraConditions = {},
): Statement => {
  const all = [
    first === undefined ? undefined : statement(first),
    parent && statement(`${PARENT} = ?`, parents),
    ...filters.map(condition),
    matching,
    ...last,
  ].filter((each) => each !== undefined);
  const sql = all.length === 0 ? '' : ` WHERE ${all.map((each) => each.sql).join(' AND ')}`;
  return statement(
    sql,
    all.flatMap(({ values }) => values),
  );
};
