import { type Catalogue, type Collection, collectionOf } from '../../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../../gateway/model/import.ts';
import type { Idempotency } from '../../../gateway/model/precondition.ts';
import { unpack } from '../../../gateway/model/row-batch.ts';
import type { Keys, Row } from '../../../gateway/port/port.ts';
import type { Course } from '../../imports/answer-imports.ts';
import { applyNow, isDry, isNew } from '../../imports/apply-plan.ts';
import { planOf } from '../../imports/plan.ts';
import type { StagedBatch } from '../../imports/stage.ts';
import { PLAN_BEFORE, PLAN_LAST, PLAN_NUMBER, type StageTables, stageTables } from '../../imports/stage-tables.ts';
import type { ImportTransaction } from '../../imports/steps.ts';
import { sqlite } from '../../sql/dialects.ts';
import { sqlOf } from '../../sql/items.ts';
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
import { type Connection, rollBack } from '../connection/connection.ts';
import { indexLater } from '../schema/search-index.ts';
import { lastChange, readLast, rowsOf, writeRest } from '../writes/writes.ts';

/** SQLite's name for a temporary database of a connection's own. */
const TEMPORARY = "''";
/** Items that are written with one statement, after which the import may be ended. */
const STEP = 1_000;

/** How planned items become stored ones, many with each statement: that takes a third of the time of a statement for each. */
const plannedSql = (collection: Collection, parents: Keys, { names }: Pick<StageTables, 'names'>) => {
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

/**
 * Plans and writes an import.
 *
 * @param name of a temporary database, which the connection does not have yet
 */
export const sqliteImport = (
  connection: Connection,
  catalogue: Catalogue,
  name: string,
  { request, onRejected, onDone }: Pick<Course, 'request' | 'onRejected' | 'onDone'>,
) => {
  connection.exec(`ATTACH ${TEMPORARY} AS ${name}`);
  const collection = collectionOf(catalogue, request.collection);
  const tables = stageTables(connection, name, collection);
  const plan = planOf(catalogue, request, tables, onRejected);
  const sql = sqlOf(catalogue, sqlite);
  const planned = plannedSql(collection, request.parents, tables);
  const rows = rowsOf(connection, sql);
  const readChange = (): number => lastChange(connection, readLast(catalogue));
  const since = readChange();
  const transaction: ImportTransaction = {
    record: rows.record,
    rows: connection.rows,
    addChanged: (keys) => tables.addChanged(connection.iterate<[string]>(keys).map(([key]) => key)),
    findObsolete: () => {
      const [[items] = [0]] = connection.rows<[number]>(planned.countItems);
      return [items, connection.run(planned.findObsolete.sql, planned.findObsolete.values)];
    },
    change: (_, change) => change(rows),
    write: (base, size) => {
      for (let from = 0; from < size; from += STEP) {
        const to = Math.min(size, from + STEP);
        for (const each of planned.write(base, from, to)) connection.run(each.sql, each.values);
        onDone(to);
      }
    },
  };
  return {
    /** Plans a batch on what is stored at the moment. */
    add: (batch: StagedBatch): void =>
      tables.inTransaction(() =>
        plan.add(unpack(batch.bytes), batch, (of, keys) => connection.row<Row>(sql(of).select, keys)),
      ),
    /** @param begin begins a transaction that has the lock */
    apply: (idempotency: Idempotency | undefined, begin: () => unknown): ImportOutcome => {
      const work = { catalogue, collection, request, plan, tables, since, idempotency };
      const isWriting = !isDry(work);
      if (isWriting) begin();
      else connection.exec('BEGIN');
      try {
        const changeSet = plan.open(readChange());
        const indexWords = isWriting ? indexLater(connection, [collection], changeSet.last + 1) : undefined;
        const outcome = applyNow(work, transaction, changeSet);
        if (isNew(outcome)) {
          indexWords?.();
          writeRest(connection, changeSet);
        }
        // What it lists is in the same transaction.
        connection.run(isNew(outcome) || !isWriting ? 'COMMIT' : 'ROLLBACK', []);
        return outcome;
      } catch (error) {
        rollBack(connection);
        throw error;
      }
    },
    nextChanges: tables.nextChanges,
    close: (): void => connection.exec(`DETACH ${name}`),
  };
};
