import { type Catalogue, collectionOf } from '../../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../../gateway/model/import.ts';
import type { Idempotency } from '../../../gateway/model/precondition.ts';
import { unpack } from '../../../gateway/model/row-batch.ts';
import type { Row } from '../../../gateway/port/port.ts';
import type { Course } from '../../imports/answer-imports.ts';
import { applyNow, isDry, isNew } from '../../imports/apply-plan.ts';
import { planOf } from '../../imports/plan.ts';
import type { StagedBatch } from '../../imports/stage.ts';
import { stageTables } from '../../imports/stage-tables.ts';
import type { ImportTransaction } from '../../imports/steps.ts';
import { sqlite } from '../../sql/dialects.ts';
import { sqlOf } from '../../sql/items.ts';
import { type Connection, rollBack } from '../connection/connection.ts';
import { indexLater } from '../schema/search-index.ts';
import { lastChange, readLast, rowsOf, writeRest } from '../writes/writes.ts';
import { plannedSql } from './planned-sql.ts';

/** SQLite's name for a temporary database of a connection's own. */
const TEMPORARY = "''";
/** Items that are written with one statement, after which the import may be ended. */
const STEP = 1_000;

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
