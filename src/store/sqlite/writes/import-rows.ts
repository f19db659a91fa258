import { type Catalogue, collectionOf } from '../../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../../gateway/model/import.ts';
import { openChangeSet } from '../../change-set.ts';
import type { eventsFor } from '../../imports/import-rows.ts';
import { ImportRun, type ImportWork, isReadOnly, isStored, type Need } from '../../imports/import-run.ts';
import { sqlite } from '../../sql/dialects.ts';
import { selectKeys, sqlOf } from '../../sql/items.ts';
import { type Connection, rollBack } from '../connection/connection.ts';
import { indexLater } from '../schema/search-index.ts';
import { begin, lastChange, readLast, rowsOf, writeRest } from './writes.ts';

/** Applies the rows of a file in one transaction. @returns `undefined` if another connection holds the lock */
export function importRows(
  connection: Connection,
  catalogue: Catalogue,
  work: ImportWork,
  { events, complete }: ReturnType<typeof eventsFor>,
): ImportOutcome | undefined {
  const sql = sqlOf(catalogue, sqlite);
  const rows = rowsOf(connection, sql);
  const list = collectionOf(catalogue, work.collection);
  const answer = (need: Need): unknown => {
    if (need.kind === 'rows') return rows;
    if (need.kind === 'free') for (const keys of need.keys) connection.run(sql(need.collection).free, keys);
    if (need.kind !== 'ids') return undefined;
    const ids = connection.iterate<[string]>(selectKeys(list, work.rules.parents));
    return [...ids.flatMap(([id]) => (need.select(id) ? [id] : []))];
  };

  const isDry = isReadOnly(catalogue, work);
  if (isDry) connection.run('BEGIN', []);
  else if (!begin(connection)) return undefined;
  try {
    const changeSet = openChangeSet(lastChange(connection, readLast(catalogue)), Date.now(), 0);
    const indexWords = isDry ? undefined : indexLater(connection, [list.nested ?? list], changeSet.last + 1);
    const steps = new ImportRun(catalogue, work, changeSet, events).run(rows.record);
    let step = steps.next();
    while (!step.done) step = steps.next(answer(step.value));
    const outcome = step.value;
    complete();
    if (isStored(outcome, changeSet)) {
      indexWords?.();
      writeRest(connection, changeSet);
      connection.run('COMMIT', []);
    } else connection.run('ROLLBACK', []);
    return outcome;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}
