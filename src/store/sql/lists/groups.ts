/**
 * Groups of a list as a selection of its plan: one row for each value of a field, with the number of items that have it.
 * Most come first, then by value; the items that lack the field are the last group.
 */
import type { Collection } from '../../../gateway/model/catalogue.ts';
import type { Field } from '../../../gateway/model/field.ts';
import { TOTAL } from '../../../gateway/model/query.ts';
import { columnOf, isFolded, quote, REVISION, type Statement, sortColumn, statement } from '../statement.ts';

interface Groups {
  readonly columns: Statement;
  /** In order. */
  readonly rows: Statement;
  readonly total: Statement;
}

const VALUE = '"_found"."value"';

/** In the order of a `Row` of groups. Groups have no revision. */
const columnsOf = (field: Field, { sql, values }: Statement): Statement =>
  statement(`0 AS ${REVISION}, ${sql} AS ${quote(field.name)}, "_found"."count" AS ${quote(TOTAL)}`, values);

const ordered = ({ sql, values }: Statement): Statement =>
  statement(`SELECT * FROM (${sql}) AS "_groups" ORDER BY "value" IS NULL, "count" DESC, "value"`, values);

const counted = ({ sql, values }: Statement): Statement =>
  statement(`SELECT count(*) FROM (${sql}) AS "_groups"`, values);

/** The most frequent of several spellings; of equally frequent ones the first by code points. */
const writings = (table: string, text: string, folded: string, where: string): string => {
  const each = `SELECT ${folded} AS "value", ${text} AS "text", count(*) AS "count" FROM ${table}${where} GROUP BY ${folded}, ${text}`;
  const ranked = `SELECT "value", "text", CAST(sum("count") OVER (PARTITION BY "value") AS BIGINT) AS "count", row_number() OVER (PARTITION BY "value" ORDER BY "count" DESC, "text") AS "rank" FROM (${each}) AS "_each"`;
  return `SELECT "value", "text", "count" FROM (${ranked}) AS "_ranked" WHERE "rank" = 1`;
};

/** @returns groups of the items that a `WHERE` clause leaves */
export const groupsOf = ({ name }: Collection, field: Field, where: Statement): Groups => {
  const [table, column] = [quote(name), sortColumn(field)];
  const values = `SELECT ${column} AS "value", count(*) AS "count" FROM ${table}${where.sql} GROUP BY ${column}`;
  const isText = isFolded(field);
  const rows = isText ? writings(table, columnOf(field), column, where.sql) : values;
  return {
    columns: columnsOf(field, statement(isText ? '"_found"."text"' : VALUE)),
    rows: ordered(statement(rows, where.values)),
    total: counted(statement(values, where.values)),
  };
};
