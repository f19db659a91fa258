/**
 * Which totals are kept beside the rows: one for each collection at the top, one for each value of its indexed fields, and
 * one for each way in which a value is written. How many rows a list has is read from them where they say it, and otherwise
 * counted: counting a million rows would take longer than reading a page of them.
 */
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Cell, Field, Value } from '../../gateway/model/field.ts';
import { kindOf } from '../../gateway/model/kinds/kinds.ts';
import type { Filter, Suffix } from '../../gateway/model/query.ts';
import { fold, foldCell } from '../../gateway/model/search/fold.ts';
import type { Keys } from '../../gateway/port/port.ts';
import { marks, quote, type Statement, scope, sortColumn, statement, valuesOf } from './statement.ts';
import { totals } from './system-tables.ts';

/** Identifies a total within its collection. */
export type TotalKey = readonly [field: string, value: string];

/** All rows. */
export const ALL: TotalKey = ['', ''];
/** Whether rows are counted by the field's values. Few rows have the same key. */
export const isCounted = (field: Field): boolean => field.indexed && !field.isKey;
/** Rows in which the field is present; no field's name can begin with a plus sign. */
export const presentKey = (field: Field): TotalKey => [`+${field.name}`, ''];
/** How often each writing of a folded value occurs; no field's name can begin with an equals sign. */
export const writingField = (field: Field, folded: string): string => `=${field.name}=${folded}`;
export const writingKeys = (field: Field, cell: Value): readonly TotalKey[] =>
  typeof cell === 'string' ? [[writingField(field, fold(cell)), cell]] : [];

export const valueKey = (field: Field, cell: Cell): TotalKey => [field.name, String(foldCell(cell))];

export const hasTotals = (collection: Collection): boolean => !collection.isNested;

const TOTALS = quote(totals.name);

const sum = ({ name }: Collection, field: string, condition: string, values: readonly Cell[]): Statement =>
  statement(`SELECT coalesce(sum("count"), 0) FROM ${TOTALS} WHERE "collection" = ? AND "field" = ? AND ${condition}`, [
    name,
    field,
    ...values,
  ]);

const sumOf = (collection: Collection, field: string, values: readonly string[]): Statement =>
  sum(collection, field, `"value" IN (${marks(values.length)})`, values);

const areKept = (collection: Collection, field: Field): boolean => hasTotals(collection) && isCounted(field);

/** @returns reads the number of all rows, where that total is kept */
const totalOfAll = (collection: Collection): Statement | undefined =>
  hasTotals(collection) ? sumOf(collection, ALL[0], [ALL[1]]) : undefined;

/** @returns reads the number of rows in which the field is present, where that total is kept */
const totalOfPresent = (collection: Collection, field: Field): Statement | undefined => {
  const [name, value] = presentKey(field);
  return areKept(collection, field) ? sumOf(collection, name, [value]) : undefined;
};

/**
 * The kept totals of a field's values, as rows of value and count, the last of those that lack it; `undefined` where they
 * are not kept.
 */
export const totalsByValue = (collection: Collection, field: Field): Statement | undefined => {
  const [all, present] = [totalOfAll(collection), totalOfPresent(collection, field)];
  if (!all || !present) return undefined;
  const value = `CAST("value" AS ${kindOf(field).column === 'TEXT' ? 'TEXT' : 'BIGINT'})`;
  const absent = `SELECT (${all.sql}) - (${present.sql}) AS "count"`;
  return statement(
    `SELECT ${value} AS "value", "count" FROM ${TOTALS} WHERE "collection" = ? AND "field" = ? AND "count" > 0 UNION ALL SELECT NULL, "count" FROM (${absent}) AS "_absent" WHERE "count" > 0`,
    [collection.name, field.name, ...all.values, ...present.values],
  );
};

/**
 * How most rows write a value whose totals are kept; where an older version wrote all of them, how one of them does.
 *
 * @param value SQL of the folded value
 */
export const commonWriting = ({ name }: Collection, field: Field, value: string): Statement => {
  const text = quote(field.name);
  return statement(
    `coalesce((SELECT "value" FROM ${TOTALS} WHERE "collection" = ? AND "field" = ? || ${value} AND "count" > 0 ORDER BY "count" DESC, "value" LIMIT 1), (SELECT ${text} FROM ${quote(name)} WHERE ${sortColumn(field)} = ${value} LIMIT 1))`,
    [name, writingField(field, '')],
  );
};

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
  if (!first || !areKept(collection, first.field)) return undefined;
  const { name } = first.field;
  if (more.some(({ field }) => field !== first.field)) return undefined;
  if (filters.every(isRange)) {
    const endOf = (end: Suffix) => filters.find(({ operator }) => operator === end)?.values[0];
    // Values of other fields are no integers, and a condition beside this one may be evaluated after it.
    const value = 'CASE WHEN "field" = ? THEN CAST("value" AS BIGINT) END';
    const ends = [endOf('from') ?? Number.MIN_SAFE_INTEGER, endOf('to') ?? Number.MAX_SAFE_INTEGER];
    return sum(collection, name, `${value} BETWEEN ? AND ?`, [name, ...ends]);
  }
  return more.length === 0 ? sumOf(collection, name, valuesOf(first).map(String)) : undefined;
};

/** @param where the `WHERE` clause of the filters */
export const totalOf = (
  collection: Collection,
  parents: Keys,
  filters: readonly Filter[],
  where: Statement,
): Statement => {
  if (filters.length === 0) return sizeOf(collection, parents);
  return keptTotal(collection, filters) ?? count(collection, where);
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
