import type { Collection } from '../../../model/catalogue.ts';
import type { Cell, Field } from '../../../model/field.ts';
import { kindOf } from '../../../model/kinds/kinds.ts';
import { ALL, hasTotals, isCounted, presentKey, valueKey, writingField } from '../../totals.ts';
import { isFolded, sortColumn } from '../columns.ts';
import type { Dialect } from '../dialects.ts';
import { marks, quote, type Statement, statement } from '../statement.ts';
import { totals } from '../system-tables.ts';
import { insertInto } from '../tables.ts';

const TOTALS = quote(totals.name);

/** Binds the difference, then collection, field and value. @returns changes a total that is kept, in two thirds of the time of `addTotal` */
export const CHANGE_TOTAL = `UPDATE ${TOTALS} SET "count" = "count" + ? WHERE ${totals.order.map((column) => `${column} = ?`).join(' AND ')}`;

/** What an `INSERT` of a difference does where the total is kept already. */
export const ADD_TO_TOTAL = `ON CONFLICT (${totals.order.join(', ')}) DO UPDATE SET "count" = ${TOTALS}."count" + excluded."count"`;

/** Binds collection, field, value and the difference. */
export const addTotal = (dialect: Dialect): string => `${insertInto(dialect, totals)} ${ADD_TO_TOTAL}`;

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

/** Reads collection and field of everything that is counted. */
export const COUNTED_FIELDS = statement(`SELECT "collection", "field" FROM ${TOTALS} WHERE "value" = ''`);

const WRITTEN = `(SELECT coalesce(sum("w"."count"), 0) FROM ${TOTALS} AS "w" WHERE "w"."collection" = "t"."collection" AND "w"."field" = '=' || "t"."field" || '=' || "t"."value")`;

/** Reads collection and field of values whose writings add up to another number: an older version has written rows. */
export const MISCOUNTED_FIELDS = statement(
  `SELECT DISTINCT "collection", "field" FROM ${TOTALS} AS "t" WHERE "count" <> ${WRITTEN}`,
);

/** Whether it is counted how the values of a field are written. */
export const isWritten = (field: Field): boolean => isCounted(field) && isFolded(field);

/** Binds collection, field, and the last value that was looked at. @returns finds such values, with the number of their rows */
export const selectMiscounted = (most: number): string =>
  `SELECT "value", "count" FROM ${TOTALS} AS "t" WHERE "collection" = ? AND "field" = ? AND "value" > ? AND "count" <> ${WRITTEN} ORDER BY "value" LIMIT ${most}`;

/** @returns statements that count anew how one value is written */
export const recountWritings = ({ name }: Collection, field: Field, value: string): readonly Statement[] => {
  const [text, key] = [quote(field.name), writingField(field, value)];
  return [
    statement(`DELETE FROM ${TOTALS} WHERE "collection" = ? AND "field" = ?`, [name, key]),
    statement(
      `INSERT INTO ${TOTALS} SELECT ?, ?, ${text}, count(*) FROM ${quote(name)} WHERE ${sortColumn(field)} = ? GROUP BY ${text}`,
      [name, key, value],
    ),
  ];
};

/** @returns statements that count how each value of some texts is written */
export const fillWritings = (collection: Collection, isMiscounted: (field: string) => boolean): readonly Statement[] =>
  (hasTotals(collection) ? collection.fields : [])
    .filter((field) => isWritten(field) && isMiscounted(field.name))
    .flatMap((field) => {
      const [text, folded, start] = [quote(field.name), sortColumn(field), writingField(field, '')];
      const { name } = collection;
      return [
        statement(`DELETE FROM ${TOTALS} WHERE "collection" = ? AND substr("field", 1, ${start.length}) = ?`, [
          name,
          start,
        ]),
        statement(
          `INSERT INTO ${TOTALS} SELECT ?, '${start}' || ${folded}, ${text}, count(*) FROM ${quote(name)} WHERE ${folded} IS NOT NULL GROUP BY ${folded}, ${text}`,
          [name],
        ),
      ];
    });

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
