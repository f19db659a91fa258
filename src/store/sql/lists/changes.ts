/** What changed in a list since a position, as a selection of its plan: in the order of the changes, each item once. */
import type { Collection } from '../../../gateway/model/catalogue.ts';
import type { Cell } from '../../../gateway/model/field.ts';
import { DELETED, type Filter, NEVER, type Nested, type Since } from '../../../gateway/model/query.ts';
import type { Keys } from '../../../gateway/port/port.ts';
import { allOf, CREATED, conditionOf, PARENT, quote, REVISION, type Statement, statement } from '../statement.ts';
import { isForgotten, readChange, tombstones } from '../system-tables.ts';

/** A list whose changes are read. */
interface ChangedList {
  readonly collection: Collection;
  readonly parents: Keys;
  readonly filters: readonly Filter[];
  readonly matching: Statement | undefined;
  /** What is nested in each item; its changes tell the item again. */
  readonly include: readonly Nested[];
  readonly since: Since;
  /** The most changes that are counted. */
  readonly most: number;
}

const AT = '"_found"."at"';

/** @returns of a list across parents, the column of the parent's key as one more of a selection */
const owner = ({ nested }: Collection, column: string): string => (nested ? `, ${column} AS "owner"` : '');

/** @returns the number of an item that is in the list */
const listedNumber = ({ filters, matching }: ChangedList): Statement => {
  const conditions = [...filters.map(conditionOf), ...(matching ? [matching] : [])];
  if (conditions.length === 0) return statement(CREATED);
  const isListed = allOf(conditions);
  return { ...isListed, sql: `CASE WHEN ${isListed.sql} THEN ${CREATED} END` };
};

/** The items that were written: those that are not in the list without their number, unless nobody was told of them. */
const written = (list: ChangedList): Statement => {
  const { collection, parents, filters, matching, since } = list;
  const { name, key, parent } = collection;
  const number = listedNumber(list);
  const isWhole = filters.length === 0 && !matching;
  const isTold =
    isWhole || since.floor === undefined
      ? []
      : [statement(`(${number.sql} IS NOT NULL OR ${REVISION} > ?)`, [...number.values, since.floor])];
  const where = allOf([
    ...(parent ? [statement(`${PARENT} = ?`, parents)] : []),
    statement(`${REVISION} > ?`, [since.change]),
    ...isTold,
  ]);
  return statement(
    `SELECT ${REVISION} AS "at", ${quote(key.name)} AS "key", ${number.sql} AS "row"${owner(collection, PARENT)} FROM ${quote(name)} WHERE ${where.sql}`,
    [...number.values, ...where.values],
  );
};

/** The items that were deleted and are not there again. */
const deleted = ({ collection, parents, since }: ChangedList): Statement => {
  const { name, key } = collection;
  const table = quote(tombstones.name);
  const own = parents.map(() => '"parent" = ? AND ').join('');
  const isSame = collection.isNested ? `${PARENT} = ${table}."parent" AND ` : '';
  const again = `SELECT 1 FROM ${quote(name)} WHERE ${isSame}${quote(name)}.${quote(key.name)} = ${table}."key"`;
  return statement(
    `SELECT "number", "key", CAST(NULL AS bigint)${owner(collection, '"parent"')} FROM ${table} WHERE "number" > ? AND ${own}"collection" = ? AND NOT EXISTS (${again})`,
    [Math.max(since.change, since.floor ?? 0), ...parents, name],
  );
};

/** The items in which something nested was written or deleted. Whoever reads from the beginning has what is older in its item. */
const nestedIn = (list: ChangedList, { name: nested }: Nested): readonly Statement[] => {
  const { collection, since } = list;
  const known = Math.max(since.change, since.floor ?? 0);
  const [item, number] = [`${quote(collection.name)}.${quote(collection.key.name)}`, listedNumber(list)];
  const tell = (changes: string, ...values: readonly Cell[]): Statement =>
    statement(
      `SELECT "_nested"."at", ${item}, ${number.sql} FROM (${changes}) AS "_nested" JOIN ${quote(collection.name)} ON ${item} = "_nested"."of"`,
      [...number.values, ...values],
    );
  return [
    tell(`SELECT ${REVISION} AS "at", ${PARENT} AS "of" FROM ${quote(nested)} WHERE ${REVISION} > ?`, known),
    tell(
      `SELECT "number" AS "at", "parent" AS "of" FROM ${quote(tombstones.name)} WHERE "number" > ? AND "collection" = ?`,
      known,
      nested,
    ),
  ];
};

/** Where what was deleted since a position is not known, no change is the last one. A list that begins again with its parent has no position from before. */
const lastChange = ({ collection: { parent }, parents, since }: ChangedList): Statement => {
  const known = Math.max(since.change, since.floor ?? 0);
  if (known === NEVER) return statement(readChange);
  const begins = parent && `(SELECT ${CREATED} FROM ${quote(parent.name)} WHERE ${quote(parent.key.name)} = ?) > ? OR `;
  const forgotten = isForgotten(known);
  return statement(`SELECT CASE WHEN ${begins ?? ''}${forgotten.sql} THEN 0 ELSE (${readChange}) END`, [
    ...(begins === undefined ? [] : [...parents, known]),
    ...forgotten.values,
  ]);
};

/**
 * @param nested the columns of what is nested in each row
 * @returns what of the SQL of a list is that of its changes
 */
export const changesSql = (list: ChangedList, nested: readonly string[]) => {
  const { collection, include, since, most } = list;
  const { name, fields, key } = collection;
  const [table, number] = [quote(name), `${quote(name)}.${CREATED}`];
  const later = since.floor === NEVER ? [] : [deleted(list), ...include.flatMap((each) => nestedIn(list, each))];
  const parts = [written(list), ...later];
  const rows = statement(
    `${parts.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY "at"`,
    parts.flatMap(({ values }) => values),
  );
  return {
    columns: [
      `${AT} AS ${REVISION}`,
      ...fields.map((field) => {
        if (field.owner !== undefined) return '"_found"."owner"';
        return field === key ? '"_found"."key"' : `${table}.${quote(field.name)}`;
      }),
      `CASE WHEN ${number} IS NULL THEN 1 END AS ${quote(DELETED)}`,
      ...nested.map((column) => `CASE WHEN ${number} IS NOT NULL THEN ${column} END`),
    ],
    /** With the number of the creation, which tells what is new. */
    position: [AT, number],
    total: statement(`SELECT count(*) FROM (${rows.sql} LIMIT CAST(? AS bigint)) AS "_all"`, [...rows.values, most]),
    change: lastChange(list),
    isFoundFirst: undefined,
    selection: { rows, join: ` LEFT JOIN ${table} ON ${number} = "_found"."row" ORDER BY ${AT}` },
  };
};
