import type { Collection } from '../../model/catalogue.ts';
import type { Cell, Field } from '../../model/field.ts';
import { ALL, hasTotals, isCounted, presentKey, valueKey } from '../totals.ts';
import { sortColumn } from './columns.ts';
import type { Dialect } from './dialects.ts';
import { marks, quote, type Statement, statement } from './statement.ts';
import { totals } from './system-tables.ts';
import { insertInto } from './tables.ts';

const TOTALS = quote(totals.name);

/** Binds collection, field, value and the difference. */
export const addTotal = (dialect: Dialect): string =>
  `${insertInto(dialect, totals)} ON CONFLICT (${totals.order.join(', ')}) DO UPDATE SET "count" = ${TOTALS}."count" + excluded."count"`;

const sum = ({ name }: Collection, field: string, condition: string, values: readonly Cell[]): Statement =>
  statement(`SELECT coalesce(sum("count"), 0) FROM ${TOTALS} WHERE "collection" = ? AND "field" = ? AND ${condition}`, [
    name,
    field,
    ...values,
  ]);

const sumOf = (collection: Collection, field: string, values: readonly string[]): Statement =>
  sum(collection, field, `"value" IN (${marks(values.length)})`, values);

/** @returns reads the number of all rows, where that total is kept */
export const totalOfAll = (collection: Collection): Statement | undefined =>
  hasTotals(collection) ? sumOf(collection, ALL[0], [ALL[1]]) : undefined;

/** @returns reads the number of rows that have one of the values, where those totals are kept */
export const totalOfValues = (collection: Collection, field: Field, cells: readonly Cell[]): Statement | undefined => {
  if (!hasTotals(collection) || !isCounted(field)) return undefined;
  const values = cells.map((cell) => valueKey(field, cell)[1]);
  return sumOf(collection, field.name, values);
};

/** @returns reads the number of rows whose integer is within a range, both ends included, where those totals are kept */
export const totalOfRange = (
  collection: Collection,
  field: Field,
  from: Cell = Number.MIN_SAFE_INTEGER,
  to: Cell = Number.MAX_SAFE_INTEGER,
): Statement | undefined => {
  if (!hasTotals(collection) || !isCounted(field)) return undefined;
  // Values of other fields are no integers, and a condition beside this one may be evaluated after it.
  const value = 'CASE WHEN "field" = ? THEN CAST("value" AS BIGINT) END';
  return sum(collection, field.name, `${value} BETWEEN ? AND ?`, [field.name, from, to]);
};

/** @returns reads the number of rows in which the field is present, where that total is kept */
export const totalOfPresent = (collection: Collection, field: Field): Statement | undefined => {
  const [name, value] = presentKey(field);
  return hasTotals(collection) && isCounted(field) ? sumOf(collection, name, [value]) : undefined;
};

/** @returns statements that fill each total that is not kept yet, from the rows that exist */
export const fillTotals = (collection: Collection, isKept: (field: string) => boolean): readonly Statement[] => {
  if (!hasTotals(collection)) return [];
  const { name, fields } = collection;
  const insert = (field: string, value: string, rest: string): Statement =>
    statement(`INSERT INTO ${TOTALS} SELECT ?, ?, ${value}, count(*) FROM ${quote(name)} ${rest}`, [name, field]);
  const missing = fields.filter((field) => isCounted(field) && !isKept(presentKey(field)[0]));
  return [
    ...(isKept(ALL[0]) ? [] : [insert(ALL[0], "''", '')]),
    ...missing.flatMap((field) => {
      const column = sortColumn(field);
      return [
        insert(presentKey(field)[0], "''", `WHERE ${column} IS NOT NULL`),
        insert(field.name, `CAST(${column} AS TEXT)`, `WHERE ${column} IS NOT NULL GROUP BY ${column}`),
      ];
    }),
  ];
};
