import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Keys } from '../../gateway/port/port.ts';
import { CREATED, PARENT, quote, REVISION, type Statement, scope, statement } from './statement.ts';
import { tombstones } from './system-tables.ts';

/** @returns reads the keys of a list in creation order */
export const selectKeys = (collection: Collection, parents: Keys): Statement => {
  const { sql, values } = scope(collection, parents, []);
  return statement(
    `SELECT ${quote(collection.key.name)} FROM ${quote(collection.name)}${sql} ORDER BY ${CREATED}`,
    values,
  );
};

/** @returns reads the keys of a list's items that were written or deleted after a change number */
export const selectKeysSince = ({ name, key, parent }: Collection, parents: Keys, since: number): Statement => {
  const [own, gone] = parent ? [`${PARENT} = ? AND `, '"parent" = ? AND '] : ['', ''];
  return statement(
    `SELECT ${quote(key.name)} FROM ${quote(name)} WHERE ${own}${REVISION} > ? UNION ALL SELECT "key" FROM ${quote(tombstones.name)} WHERE ${gone}"collection" = ? AND "number" > ?`,
    [...parents, since, ...parents, name, since],
  );
};

/** @returns reads a row where an item of a collection at the top was written or deleted after a change number */
export const selectItemSince = ({ name, key }: Collection, [item = '']: Keys, since: number): Statement =>
  statement(
    `SELECT 1 FROM ${quote(name)} WHERE ${quote(key.name)} = ? AND ${REVISION} > ? UNION ALL SELECT 1 FROM ${quote(tombstones.name)} WHERE "collection" = ? AND "key" = ? AND "number" > ?`,
    [item, since, name, item, since],
  );
