import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../../gateway/model/import.ts';
import { applyNow, type ImportTransaction, isDry, isNew, type PlannedImport } from '../../imports/apply-plan.ts';
import { sqlite } from '../../sql/dialects.ts';
import { sqlOf } from '../../sql/items.ts';
import { type Connection, rollBack } from '../connection/connection.ts';
import { indexLater } from '../schema/search-index.ts';
import { lastChange, readLast, rowsOf, writeRest } from '../writes/writes.ts';
import { plannedSql } from './planned-sql.ts';

/** Items that are written with one statement, after which the import may be ended. */
const STEP = 1_000;

/**
 * Writes what is planned.
 *
 * @param connection in a transaction, which holds the lock unless the import is dry; it is ended here
 * @param onDone called now and then with the number of written items. Ends the import by throwing
 */
export const applyImport = (
  connection: Connection,
  catalogue: Catalogue,
  work: PlannedImport,
  onDone: (items: number) => void,
): ImportOutcome => {
  const { collection, request, plan, tables } = work;
  const sql = plannedSql(collection, request.parents, tables);
  const rows = rowsOf(connection, sqlOf(catalogue, sqlite));
  const transaction: ImportTransaction = {
    record: rows.record,
    rows: connection.rows,
    addChanged: (keys) => tables.addChanged(connection.iterate<[string]>(keys).map(([key]) => key)),
    findObsolete: () => {
      const [[items] = [0]] = connection.rows<[number]>(sql.countItems);
      return [items, connection.run(sql.findObsolete.sql, sql.findObsolete.values)];
    },
    change: (_, change) => change(rows),
    write: (base, size) => {
      for (let from = 0; from < size; from += STEP) {
        const to = Math.min(size, from + STEP);
        for (const each of sql.write(base, from, to)) connection.run(each.sql, each.values);
        onDone(to);
      }
    },
  };
  try {
    const changeSet = plan.open(lastChange(connection, readLast(catalogue)));
    const indexWords = isDry(work) ? undefined : indexLater(connection, [collection], changeSet.last + 1);
    const outcome = applyNow(work, transaction, changeSet);
    if (isNew(outcome)) {
      indexWords?.();
      writeRest(connection, changeSet);
    }
    connection.run(isNew(outcome) ? 'COMMIT' : 'ROLLBACK', []);
    return outcome;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
};
