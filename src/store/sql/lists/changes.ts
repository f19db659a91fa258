/** What changed in a list since a position, as a selection of its plan: in the order of the changes, each item once. */
import type { Collection } from '../../../gateway/model/catalogue.ts';
import { DELETED, type Filter, NEVER, type Since } from '../../../gateway/model/query.ts';
import type { Keys } from '../../../gateway/port/port.ts';
import { allOf, CREATED, conditionOf, PARENT, quote, REVISION, type Statement, statement } from '../statement.ts';
import { readChange, tombstones } from '../system-tables.ts';

/** A list whose changes are read. */
interface ChangedList {
  readonly collection: Collection;
  readonly parents: Keys;
  readonly filters: readonly Filter[];
  readonly matching: Statement | undefined;
  readonly since: Since;
  /** The most changes that are counted. */
  readonly most: number;
}

const AT = '"_found"."at"';

/** The items that were written: those that are not in the list without their number, unless nobody was told of them. */
const written = ({ collection, parents, filters, matching, since }: ChangedList): Statement => {
  const { name, key, parent } = collection;
  const conditions = [...filters.map(conditionOf), ...(matching ? [matching] : [])];
  const isListed = allOf(conditions);
  const number =
    conditions.length === 0
      ? statement(CREATED)
      : { ...isListed, sql: `CASE WHEN ${isListed.sql} THEN ${CREATED} END` };
  const isTold =
    conditions.length === 0 || since.floor === undefined
      ? []
      : [statement(`(${isListed.sql} OR ${REVISION} > ?)`, [...isListed.values, since.floor])];
  const where = allOf([
    ...(parent ? [statement(`${PARENT} = ?`, parents)] : []),
    statement(`${REVISION} > ?`, [since.change]),
    ...isTold,
  ]);
  return statement(
    `SELECT ${REVISION} AS "at", ${quote(key.name)} AS "key", ${number.sql} AS "row" FROM ${quote(name)} WHERE ${where.sql}`,
    [...number.values, ...where.values],
  );
};

/** The items that were deleted and are not there again. */
const deleted = ({ collection: { name, key, parent }, parents, since }: ChangedList): Statement => {
  const table = quote(tombstones.name);
  const [own, isSame] = parent ? [`"parent" = ? AND `, `${PARENT} = ${table}."parent" AND `] : ['', ''];
  const again = `SELECT 1 FROM ${quote(name)} WHERE ${isSame}${quote(name)}.${quote(key.name)} = ${table}."key"`;
  return statement(
    `SELECT "number", "key", CAST(NULL AS bigint) FROM ${table} WHERE "number" > ? AND ${own}"collection" = ? AND NOT EXISTS (${again})`,
    [Math.max(since.change, since.floor ?? 0), ...parents, name],
  );
};

/** A list that begins again with its parent has no position from before: there no change is the last one. */
const lastChange = ({ collection: { parent }, parents, since }: ChangedList): Statement => {
  if (!parent) return statement(readChange);
  const begins = `SELECT ${CREATED} FROM ${quote(parent.name)} WHERE ${quote(parent.key.name)} = ?`;
  const known = Math.max(since.change, since.floor ?? 0);
  return statement(`SELECT CASE WHEN (${begins}) > ? THEN 0 ELSE (${readChange}) END`, [...parents, known]);
};

/** @returns what of the SQL of a list is that of its changes */
export const changesSql = (list: ChangedList) => {
  const { collection, since, most } = list;
  const { name, fields, key } = collection;
  const [table, number] = [quote(name), `${quote(name)}.${CREATED}`];
  const parts = since.floor === NEVER ? [written(list)] : [written(list), deleted(list)];
  const rows = statement(
    `${parts.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY "at"`,
    parts.flatMap(({ values }) => values),
  );
  return {
    columns: [
      `${AT} AS ${REVISION}`,
      ...fields.map((field) => (field === key ? '"_found"."key"' : `${table}.${quote(field.name)}`)),
      `CASE WHEN ${number} IS NULL THEN 1 END AS ${quote(DELETED)}`,
    ],
    position: [AT],
    total: statement(`SELECT count(*) FROM (${rows.sql} LIMIT CAST(? AS bigint)) AS "_all"`, [...rows.values, most]),
    change: lastChange(list),
    isFoundFirst: undefined,
    selection: { rows, join: ` LEFT JOIN ${table} ON ${number} = "_found"."row" ORDER BY ${AT}` },
  };
};
