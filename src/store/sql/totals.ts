/**
 * How many rows there are, kept beside them: of a whole collection at the top, and for each value of its indexed fields.
 * Counting a million rows for each page would take longer than the page.
 */
import type { Collection } from '../../model/catalogue.ts';
import type { Cell, Field } from '../../model/field.ts';
import { foldCell, marks, quote, type Statement, sortColumn, statement } from './columns.ts';

/** Names a count within its collection. */
type TotalKey = readonly [field: string, value: string];

/** All rows. */
const ALL: TotalKey = ['', ''];
/** Rows in which the field is there; no field's name can begin with a plus sign. */
const presentKey = (field: Field): TotalKey => [`+${field.name}`, ''];
const valueKey = (field: Field, cell: Cell): TotalKey => [field.name, String(foldCell(cell))];

const hasTotals = ({ parent }: Collection): boolean => parent === undefined;

/** @returns the counts that a row with these cells is part of */
export const totalKeys = (collection: Collection, cells: readonly Cell[]): readonly TotalKey[] => {
  if (!hasTotals(collection)) return [];
  const indexed = collection.fields.flatMap((field, at) => {
    const cell = cells[at] ?? null;
    return field.indexed && cell !== null ? [presentKey(field), valueKey(field, cell)] : [];
  });
  return [ALL, ...indexed];
};

/** Binds collection, field, value and by how much. */
export const addTotal =
  'INSERT INTO "_totals" VALUES (?, ?, ?, ?) ON CONFLICT ("collection", "field", "value") DO UPDATE SET "count" = "_totals"."count" + excluded."count"';

const sum = ({ name }: Collection, field: string, values: readonly string[]): Statement =>
  statement(
    `SELECT coalesce(sum("count"), 0) FROM "_totals" WHERE "collection" = ? AND "field" = ? AND "value" IN (${marks(values.length)})`,
    [name, field, ...values],
  );

/** @returns a statement for the number of all rows, where that is kept */
export const totalOfAll = (collection: Collection): Statement | undefined =>
  hasTotals(collection) ? sum(collection, ALL[0], [ALL[1]]) : undefined;

/** @returns a statement for the number of rows that hold one of the values, where that is kept */
export const totalOfValues = (collection: Collection, field: Field, cells: readonly Cell[]): Statement | undefined =>
  hasTotals(collection) && field.indexed
    ? sum(
        collection,
        field.name,
        cells.map((cell) => valueKey(field, cell)[1]),
      )
    : undefined;

/** @returns a statement for the number of rows in which the field is there, where that is kept */
export const totalOfPresent = (collection: Collection, field: Field): Statement | undefined => {
  const [name, value] = presentKey(field);
  return hasTotals(collection) && field.indexed ? sum(collection, name, [value]) : undefined;
};

/** @returns statements that count what a database holds already, each for a count that it does not keep yet */
export const fillTotals = (collection: Collection, isKept: (field: string) => boolean): readonly Statement[] => {
  if (!hasTotals(collection)) return [];
  const { name, fields } = collection;
  const insert = (field: string, value: string, rest: string): Statement => ({
    sql: `INSERT INTO "_totals" SELECT ?, ?, ${value}, count(*) FROM ${quote(name)} ${rest}`,
    values: [name, field],
  });
  const missing = fields.filter((field) => field.indexed && !isKept(presentKey(field)[0]));
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
