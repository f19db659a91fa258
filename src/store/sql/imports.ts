import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Keys } from '../../gateway/port/port.ts';
import { CREATED, idIn, quote, type Statement, scope, statement } from './statement.ts';

/** @returns reads what identifies the items of a list, in creation order */
export const selectKeys = (collection: Collection, parents: Keys): Statement => {
  const { sql, values } = scope(collection, parents, []);
  return statement(`SELECT ${idIn(collection)} FROM ${quote(collection.name)}${sql} ORDER BY ${CREATED}`, values);
};
