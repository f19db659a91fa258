import type { Collection } from '../../../gateway/model/catalogue.ts';
import type { Field } from '../../../gateway/model/field.ts';
import type { Filter, Query, Suffix } from '../../../gateway/model/query.ts';
import type { Keys } from '../../../gateway/port/port.ts';
import type { Search } from '../search.ts';
import { quote, type Statement, scope, statement, valuesOf } from '../statement.ts';
import { totalOfAll, totalOfPresent, totalOfRange, totalOfValues } from '../system/totals.ts';
import { countFound } from './ranked.ts';

const count = ({ name }: Collection, where: Statement): Statement =>
  statement(`SELECT count(*) FROM ${quote(name)}${where.sql}`, where.values);

/** @returns counts rows, but none beyond a number */
export const countUpTo = ({ name }: Collection, where: Statement, most: number): Statement =>
  statement(`SELECT count(*) FROM (SELECT 1 FROM ${quote(name)}${where.sql} LIMIT CAST(? AS bigint)) AS "_some"`, [
    ...where.values,
    most,
  ]);

/** Counts the rows before filtering. */
export const sizeOf = (collection: Collection, parents: Keys): Statement =>
  totalOfAll(collection) ?? count(collection, scope(collection, parents, []));

export const isRange = ({ operator }: Filter): boolean => operator !== 'equals';

/** @returns a statement that reads the number of matching rows from stored totals, by values of one field or a range */
const keptTotal = (collection: Collection, filters: readonly Filter[]): Statement | undefined => {
  const [first, ...more] = filters;
  if (!first || more.some(({ field }) => field !== first.field)) return undefined;
  const endOf = (end: Suffix) => filters.find(({ operator }) => operator === end)?.values[0];
  if (filters.every(isRange)) return totalOfRange(collection, first.field, endOf('from'), endOf('to'));
  return more.length === 0 ? totalOfValues(collection, first.field, valuesOf(first)) : undefined;
};

export const totalOf = (
  collection: Collection,
  parents: Keys,
  { filters }: Query,
  search: Search | undefined,
  first: string | undefined,
): Statement => {
  if (search) return countFound(search, collection, parents, filters, first);
  if (filters.length === 0) return sizeOf(collection, parents);
  return keptTotal(collection, filters) ?? count(collection, scope(collection, parents, filters, { first }));
};

/** What a plan's `present` results in where there is nothing to count. */
export const ALL_PRESENT = -1;

/**
 * @param isWhole whether the list has all rows
 * @returns counts the rows of a list that have the value that is sorted by, unless kept totals tell that every row has it
 */
export const presentIn = (collection: Collection, sort: Field, isWhole: boolean, present: Statement): Statement => {
  const counted = count(collection, present);
  const [kept, all] = [totalOfPresent(collection, sort), totalOfAll(collection)];
  if (!kept || !all) return counted;
  if (isWhole) return kept;
  return {
    sql: `SELECT CASE WHEN (${kept.sql}) = (${all.sql}) THEN ${ALL_PRESENT} ELSE (${counted.sql}) END`,
    values: [...kept.values, ...all.values, ...counted.values],
  };
};
