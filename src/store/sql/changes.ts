import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import { DELETED, type Filter, isReferring, NEVER, type Since } from '../../gateway/model/query.ts';
import type { Included } from '../../gateway/model/references.ts';
import type { Keys } from '../../gateway/port/port.ts';
import {
  allOf,
  CREATED,
  columnOf,
  comparedColumn,
  conditionOf,
  PARENT,
  quote,
  REVISION,
  type Statement,
  scope,
  statement,
} from './statement.ts';
import { isForgotten, readChange, tombstones } from './system-tables.ts';

/** What changed in a list since a position, as a selection of its plan: in the order of the changes, each item once. */

/** A list whose changes are read. */
interface ChangedList {
  readonly collection: Collection;
  readonly parents: Keys;
  readonly filters: readonly Filter[];
  readonly matching: Statement | undefined;
  /** What each item includes; its changes tell the item again. */
  readonly include: readonly Included[];
  readonly since: Since;
  /** The most changes that are counted. */
  readonly most: number;
}

/** @returns the change up to which a client knows everything but the list itself: whoever reads that from the beginning has what is older in its items */
const knownBy = ({ change, floor = 0 }: Since): number => Math.max(change, floor);

const [AT, ROW] = ['"_found"."at"', '"_found"."row"'];

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
    [knownBy(since), ...parents, name],
  );
};

/** Columns of what tells items again: no field, nor its folded text, has such a name. */
const [TOLD_AT, TOLD_OF, TOLD_FOLDED] = ['"__at"', '"__of"', '"__folded"'];

/** The items in which something nested was written or deleted. */
const nestedIn = (list: ChangedList, { name: nested }: Included): readonly Statement[] => {
  const { collection, since } = list;
  const known = knownBy(since);
  const [item, number] = [`${quote(collection.name)}.${quote(collection.key.name)}`, listedNumber(list)];
  const tell = (changes: string, ...values: readonly Cell[]): Statement =>
    statement(
      `SELECT ${TOLD_AT}, ${item}, ${number.sql} FROM (${changes}) AS "_told" JOIN ${quote(collection.name)} ON ${item} = ${TOLD_OF}`,
      [...number.values, ...values],
    );
  return [
    tell(
      `SELECT ${REVISION} AS ${TOLD_AT}, ${PARENT} AS ${TOLD_OF} FROM ${quote(nested)} WHERE ${REVISION} > ?`,
      known,
    ),
    tell(
      `SELECT "number" AS ${TOLD_AT}, "parent" AS ${TOLD_OF} FROM ${quote(tombstones.name)} WHERE "number" > ? AND "collection" = ?`,
      known,
      nested,
    ),
  ];
};

/** The items of the list that refer to one that was written. Of each change they are in the order of their creation. */
const referring = (list: ChangedList, { key, through }: Required<Included>): Statement => {
  const { collection, parents, filters, matching, since } = list;
  const known = knownBy(since);
  const within = known === since.change ? since.within : undefined;
  const columns = `${REVISION} AS ${TOLD_AT}, ${quote(key.name)} AS ${TOLD_OF}, ${comparedColumn(key)} AS ${TOLD_FOLDED}`;
  const written = `SELECT ${columns} FROM ${quote(through.refersTo ?? '')} WHERE ${REVISION} >= ?`;
  // The folded text has an index.
  const isSame = `${comparedColumn(through)} = ${TOLD_FOLDED} AND ${columnOf(through)} = ${TOLD_OF}`;
  const isLater = statement(`(${TOLD_AT} > ? OR ${CREATED} > ?)`, [known, within ?? NEVER]);
  const where = scope(collection, parents, filters, { matching, last: [isLater] });
  return statement(
    `SELECT ${TOLD_AT}, ${quote(collection.key.name)}, ${CREATED}${owner(collection, PARENT)} FROM (${written}) AS "_told" JOIN ${quote(collection.name)} ON ${isSame}${where.sql}`,
    [known, ...where.values],
  );
};

/** The items that include what was changed. */
const including = (list: ChangedList): readonly Statement[] =>
  list.include.flatMap((each) => {
    const { through } = each;
    return through ? [referring(list, { ...each, through })] : nestedIn(list, each);
  });

/** Where what was deleted since a position is not known, no change is the last one. A list that begins again with its parent has no position from before. */
const lastChange = ({ collection: { parent }, parents, since }: ChangedList): Statement => {
  const known = knownBy(since);
  if (known === NEVER) return statement(readChange);
  const begins = parent && `(SELECT ${CREATED} FROM ${quote(parent.name)} WHERE ${quote(parent.key.name)} = ?) > ? OR `;
  const forgotten = isForgotten(known);
  return statement(`SELECT CASE WHEN ${begins ?? ''}${forgotten.sql} THEN 0 ELSE (${readChange}) END`, [
    ...(begins === undefined ? [] : [...parents, known]),
    ...forgotten.values,
  ]);
};

/**
 * @param included the columns of what each row includes
 * @returns what of the SQL of a list is that of its changes
 */
export const changesSql = (list: ChangedList, included: readonly string[]) => {
  const { collection, since, most } = list;
  const { name, fields, key } = collection;
  const [table, number] = [quote(name), `${quote(name)}.${CREATED}`];
  const later = since.floor === NEVER ? [] : [deleted(list), ...including(list)];
  const parts = [written(list), ...later];
  const order = isReferring(list) ? (row: string) => `, ${row}` : () => '';
  const rows = statement(
    `${parts.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY "at"${order('"row"')}`,
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
      ...included.map((column) => `CASE WHEN ${number} IS NOT NULL THEN ${column} END`),
    ],
    /** With the number of the creation, which tells what is new. */
    position: [AT, number],
    total: statement(`SELECT count(*) FROM (${rows.sql} LIMIT CAST(? AS bigint)) AS "_all"`, [...rows.values, most]),
    change: lastChange(list),
    isFoundFirst: undefined,
    selection: { rows, join: ` LEFT JOIN ${table} ON ${number} = ${ROW} ORDER BY ${AT}${order(ROW)}` },
  };
};
