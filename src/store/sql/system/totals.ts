import type { Catalogue, Collection } from '../../../gateway/model/catalogue.ts';
import type { Cell, Field } from '../../../gateway/model/field.ts';
import { kindOf } from '../../../gateway/model/kinds/kinds.ts';
import { ALL, hasTotals, isCounted, presentKey, valueKey, writingField } from '../../totals.ts';
import { type Dialect, insertInto } from '../dialects.ts';
import { isFolded, marks, quote, type Statement, sortColumn, statement } from '../statement.ts';
import { totals } from '../system-tables.ts';

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

/** What is counted at once: the rows that have a value in a field; without one, all rows. */
type Counted = Field | undefined;

/** Names what is counted; for all rows, without a field. */
const countedName = ({ name }: Collection, field: Counted): string => `${name} ${field?.name ?? ''}`;

/** @returns reads the names of what is counted, but for texts whose writings add up to another number: an older version has written rows */
export const countedFields = (catalogue: Catalogue): Statement => {
  const texts = catalogue.flatMap(({ fields }) => fields.filter(isFolded)).map(({ name }) => name);
  const written = `SELECT coalesce(sum("w"."count"), 0) FROM ${TOTALS} AS "w" WHERE "w"."collection" = "t"."collection" AND "w"."field" = '=' || "t"."field" || '=' || "t"."value"`;
  const wrong = `SELECT 1 FROM ${TOTALS} AS "t" WHERE "t"."collection" = "p"."collection" AND "t"."field" = substr("p"."field", 2) AND "t"."field" IN (${marks(texts.length)}) AND "t"."count" <> (${written})`;
  return statement(
    `SELECT "collection" || ' ' || substr("field", 2) FROM ${TOTALS} AS "p" WHERE "value" = '' AND substr("field", 1, 1) IN ('', '+') AND NOT EXISTS (${wrong})`,
    texts,
  );
};

/** @returns what is counted in a collection; nothing where no totals are kept */
export const countedIn = (collection: Collection): readonly Counted[] =>
  hasTotals(collection) ? [undefined, ...collection.fields.filter(isCounted)] : [];

/** @returns SQL of all totals of a field as they should be: the rows that have it, those of each value, and of each writing */
const expected = ({ name }: Collection, field: Counted): string => {
  const count = (total: string, value: string, rest = ''): string =>
    `SELECT '${name}' AS "collection", ${total} AS "field", ${value} AS "value", count(*) AS "count" FROM ${quote(name)}${rest}`;
  if (!field) return count(`'${ALL[0]}'`, `'${ALL[1]}'`);
  const [column, text] = [sortColumn(field), quote(field.name)];
  const has = ` WHERE ${column} IS NOT NULL`;
  const counts = [
    count(`'${presentKey(field)[0]}'`, `''`, has),
    count(`'${field.name}'`, `CAST(${column} AS TEXT)`, `${has} GROUP BY ${column}`),
  ];
  const start = `'${writingField(field, '')}'`;
  if (isFolded(field)) counts.push(count(`${start} || ${column}`, text, `${has} GROUP BY ${column}, ${text}`));
  return counts.join(' UNION ALL ');
};

/** @returns the condition of all totals of a field */
const kept = ({ name }: Collection, field: Counted): string => {
  const start = field && writingField(field, '');
  const of = field
    ? `("field" IN ('${field.name}', '${presentKey(field)[0]}') OR substr("field", 1, ${start?.length}) = '${start}')`
    : `"field" = '${ALL[0]}'`;
  return `"collection" = '${name}' AND ${of}`;
};

/** @returns reads field, value, the kept number and the right one of each total that is wrong */
export const selectWrongTotals = (collection: Collection, field: Counted): Statement =>
  statement(
    `SELECT "field", "value", CAST(sum("kept") AS BIGINT), CAST(sum("counted") AS BIGINT)
    FROM (SELECT "field", "value", "count" AS "kept", 0 AS "counted" FROM ${TOTALS} WHERE ${kept(collection, field)}
      UNION ALL SELECT "field", "value", 0, "count" FROM (${expected(collection, field)}) AS "expected") AS "both"
    GROUP BY "field", "value" HAVING sum("kept") <> sum("counted") ORDER BY "field", "value"`,
  );

/** @returns statements that count all totals of a field anew */
export const countAnew = (collection: Collection, field: Counted): readonly Statement[] => [
  statement(`DELETE FROM ${TOTALS} WHERE ${kept(collection, field)}`),
  statement(`INSERT INTO ${TOTALS} ${expected(collection, field)}`),
];

/** @param counted names of what is counted already. @returns statements that count the rest, those of one field together */
export const countMissing = (collection: Collection, counted: ReadonlySet<string>): readonly (readonly Statement[])[] =>
  countedIn(collection)
    .filter((field) => !counted.has(countedName(collection, field)))
    .map((field) => countAnew(collection, field));
