import type { Catalogue, Collection } from '../../../gateway/model/catalogue.ts';
import type { Field } from '../../../gateway/model/field.ts';
import { type Dialect, insertInto } from '../dialects.ts';
import { isFolded, marks, quote, type Statement, sortColumn, statement } from '../statement.ts';
import { totals } from '../system-tables.ts';
import { ALL, hasTotals, isCounted, presentKey, writingField } from '../totals.ts';

const TOTALS = quote(totals.name);

/** Binds the difference, then collection, field and value. @returns changes a total that is kept, in two thirds of the time of `addTotal` */
export const CHANGE_TOTAL = `UPDATE ${TOTALS} SET "count" = "count" + ? WHERE ${totals.order.map((column) => `${column} = ?`).join(' AND ')}`;

/** What an `INSERT` of a difference does where the total is kept already. */
export const ADD_TO_TOTAL = `ON CONFLICT (${totals.order.join(', ')}) DO UPDATE SET "count" = ${TOTALS}."count" + excluded."count"`;

/** Binds collection, field, value and the difference. */
export const addTotal = (dialect: Dialect): string => `${insertInto(dialect, totals)} ${ADD_TO_TOTAL}`;

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
const countedIn = (collection: Collection): readonly Counted[] =>
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

/** @returns statements that count all totals of a field anew */
const countAnew = (collection: Collection, field: Counted): readonly Statement[] => [
  statement(`DELETE FROM ${TOTALS} WHERE ${kept(collection, field)}`),
  statement(`INSERT INTO ${TOTALS} ${expected(collection, field)}`),
];

/** @param counted names of what is counted already. @returns statements that count the rest, those of one field together */
export const countMissing = (collection: Collection, counted: ReadonlySet<string>): readonly (readonly Statement[])[] =>
  countedIn(collection)
    .filter((field) => !counted.has(countedName(collection, field)))
    .map((field) => countAnew(collection, field));
