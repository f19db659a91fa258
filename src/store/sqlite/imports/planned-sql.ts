/** How planned items become stored ones, many with each statement: that takes a third of the time of a statement for each. */
import type { Collection } from '../../../gateway/model/catalogue.ts';
import type { Keys } from '../../../gateway/port/port.ts';
import { PLAN_BEFORE, PLAN_LAST, PLAN_NUMBER, type StageTables } from '../../imports/stage-tables.ts';
import {
  CREATED,
  fieldColumns,
  idIn,
  isSameItem,
  PARENT,
  quote,
  REVISION,
  type Statement,
  scope,
  statement,
} from '../../sql/statement.ts';

export const plannedSql = (collection: Collection, parents: Keys, { names }: Pick<StageTables, 'names'>) => {
  const table = quote(collection.name);
  const columns = fieldColumns(collection).map(({ name }) => name);
  const within = `"p".${PLAN_NUMBER} > ? AND "p".${PLAN_NUMBER} <= ?`;
  const listed = [CREATED, REVISION, ...(collection.parent ? [PARENT] : []), ...columns].join(', ');
  const insert = `INSERT INTO ${table} (${listed}) SELECT ? + "p".${PLAN_NUMBER}, ? + "p".${PLAN_LAST}, ${[...parents.map(() => '?'), ...columns].join(', ')} FROM ${names.plan} AS "p" WHERE ${within} AND "p".${PLAN_BEFORE} IS NULL ORDER BY "p".${PLAN_NUMBER}`;
  const changes = columns.map((column) => `${column} = "p".${column}`).join(', ');
  const update = `UPDATE ${table} SET ${REVISION} = ? + "p".${PLAN_LAST}, ${changes} FROM ${names.plan} AS "p" WHERE ${within} AND "p".${PLAN_BEFORE} IS NOT NULL AND ${isSameItem(collection, table, '"p"')}${collection.parent ? ` AND ${table}.${PARENT} = ?` : ''}`;
  const obsolete = scope(collection, parents, [], {
    last: [statement(`NOT EXISTS (SELECT 1 FROM ${names.keys} AS "k" WHERE "k"."key" = ${idIn(collection, table)})`)],
  });
  const all = scope(collection, parents, []);
  return {
    /** @returns writes the items with numbers after `from` up to `to`. @param base the change number before the first one */
    write: (base: number, from: number, to: number): readonly Statement[] => [
      statement(update, [base, from, to, ...parents]),
      statement(insert, [base, base, ...parents, from, to]),
    ],
    /** Notes the keys of the list that the file does not have, in the order of their creation. */
    findObsolete: statement(
      `INSERT OR IGNORE INTO ${names.obsolete} SELECT ${idIn(collection)} FROM ${table}${obsolete.sql} ORDER BY ${CREATED}`,
      obsolete.values,
    ),
    countItems: statement(`SELECT count(*) FROM ${table}${all.sql}`, all.values),
  };
};
