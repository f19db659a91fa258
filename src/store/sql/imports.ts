import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Keys } from '../../gateway/port/port.ts';
import { BETWEEN_KEYS, CREATED, idIn, PARENT, quote, REVISION, type Statement, scope, statement } from './statement.ts';
import { tombstones } from './system-tables.ts';

/** @returns reads what identifies the items of a list, in creation order */
export const selectKeys = (collection: Collection, parents: Keys): Statement => {
  const { sql, values } = scope(collection, parents, []);
  return statement(`SELECT ${idIn(collection)} FROM ${quote(collection.name)}${sql} ORDER BY ${CREATED}`, values);
};

/** @returns reads what identifies a list's items that were written or deleted after a change number */
export const selectKeysSince = (collection: Collection, parents: Keys, since: number): Statement => {
  const { name, parent, nested } = collection;
  const id = nested ? `"parent" || '${BETWEEN_KEYS}' || "key"` : '"key"';
  const [own, gone] = parent ? [`${PARENT} = ? AND `, '"parent" = ? AND '] : ['', ''];
  return statement(
    `SELECT ${idIn(collection)} FROM ${quote(name)} WHERE ${own}${REVISION} > ? UNION ALL SELECT ${id} FROM ${quote(tombstones.name)} WHERE ${gone}"collection" = ? AND "number" > ?`,
    [...parents, since, ...parents, name, since],
  );
};

/** @returns reads a row where the parent of a list, or of a list across parents any parent, was deleted after a change number: its items went with it */
export const selectParentsSince = ({ parent, nested }: Collection, parents: Keys, since: number): Statement => {
  const own = parents.map(() => ' AND "key" = ?').join('');
  return statement(`SELECT 1 FROM ${quote(tombstones.name)} WHERE "collection" = ? AND "number" > ?${own} LIMIT 1`, [
    (parent ?? nested?.parent)?.name ?? '',
    since,
    ...parents,
  ]);
};
