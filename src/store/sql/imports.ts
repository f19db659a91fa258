import type { Collection } from '../../model/catalogue.ts';
import type { Keys } from '../port.ts';
import { CREATED } from './columns.ts';
import { scope } from './scope.ts';
import { quote, type Statement, statement } from './statement.ts';

/** A key of a list with the number of its item's creation. */
export type CreatedKey = readonly [created: number, key: string];

/** @returns reads the keys of a list in creation order, `most` of them, after the one with the number `after` */
export const selectKeys = (collection: Collection, parents: Keys, after: number, most: number): Statement => {
  const where = scope(collection, parents, [], { last: `${CREATED} > ?` });
  return statement(
    `SELECT ${CREATED}, ${quote(collection.key.name)} FROM ${quote(collection.name)}${where.sql} ORDER BY ${CREATED} LIMIT ?`,
    [...where.values, after, most],
  );
};
