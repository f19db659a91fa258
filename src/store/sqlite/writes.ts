import { type Catalogue, collectionOf } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import type { ImportOutcome } from '../../gateway/model/import.ts';
import { foldCell } from '../../gateway/model/search.ts';
import type { Intent, Outcome, Row } from '../../gateway/port/port.ts';
import { applyIntent, type TransactionRows } from '../apply.ts';
import { type ChangeSet, openChangeSet, PAUSE } from '../change-set.ts';
import type { eventsFor } from '../imports/import-rows.ts';
import { ImportRun, type ImportWork, isReadOnly, isStored, type Need } from '../imports/import-run.ts';
import {
  insertValues,
  keyedRow,
  type SqlOf,
  selectHaving,
  selectKeys,
  selectReferring,
  sqlOf,
  tombstoneValues,
  updateValues,
} from '../sql/items.ts';
import { CREATED, insertInto, quote, sqlite, statement } from '../sql/statement.ts';
import {
  forgetExpired,
  pauseValues,
  putRecord,
  type RecordRow,
  readChange,
  recordOf,
  recordValues,
  selectRecords,
  tombstones,
  writeChange,
} from '../sql/system-tables.ts';
import { type Connection, isBusy, rollBack } from './connection.ts';
import { indexLater } from './search-index.ts';

const INSERT_TOMBSTONE = insertInto(sqlite, tombstones);
const SELECT_RECORD = selectRecords('= ?');
const PUT_RECORD = putRecord(sqlite);

const rowsOf = (connection: Connection, sql: SqlOf): TransactionRows => ({
  read: (collection, keys) => connection.row<Row>(sql(collection).select, keys),
  having: (collection, field, value) =>
    connection
      .rows<Cell[]>(statement(selectHaving(collection, field, '= ?'), [foldCell(value)]))
      .map((cells) => keyedRow(collection, cells)),
  referring: (collection, field, key) =>
    connection.rows<Cell[]>(selectReferring(collection, field, key)).map((cells) => keyedRow(collection, cells)),
  insert: (collection, change, parents, cells) =>
    void connection.run(sql(collection).insert, insertValues(collection, change, change, parents, cells)),
  update: (collection, change, keys, cells) =>
    void connection.run(sql(collection).update, updateValues(collection, change, keys, cells)),
  below: (child, keys) => connection.rows<[string]>(selectKeys(child, keys)).map(([key]) => key),
  remove: (collection, change, keys) => {
    connection.run(sql(collection).remove, keys);
    connection.run(INSERT_TOMBSTONE, tombstoneValues(collection, change, keys));
  },
  record: (key) => {
    const found = connection.row<RecordRow>(SELECT_RECORD, [key]);
    return found && recordOf(found);
  },
});

/** Writes what a transaction changes beside its rows. */
const writeRest = (connection: Connection, changeSet: ChangeSet): void => {
  const change = changeSet.lastChange();
  if (change !== undefined) connection.run(writeChange, [change]);
  const pause = changeSet.pause();
  if (pause !== undefined) connection.run(INSERT_TOMBSTONE, pauseValues(changeSet.last, pause));
  const records = changeSet.records();
  if (records.length === 0) return;
  for (const record of records) connection.run(PUT_RECORD, recordValues(record));
  const { sql, values } = forgetExpired(records);
  connection.run(sql, values);
};

/** @returns whether the lock was free and is held now */
export const begin = (connection: Connection): boolean => {
  try {
    connection.run('BEGIN IMMEDIATE', []);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
};

/** @returns reads the last change number, or the last that a program which takes none has created a row with */
const readLast = (catalogue: Catalogue): string => {
  const created = catalogue.map(({ name }) => `(SELECT coalesce(max(${CREATED}), 0) FROM ${quote(name)})`);
  return `SELECT max("number", ${created.join(', ')}) FROM (${readChange})`;
};

const lastChange = (connection: Connection, sql: string): number => connection.row<[number]>(sql, [])?.[0] ?? 0;

/** Takes a change number in a transaction: after a commit without one, nothing that is kept of rows counts as current. */
export const takeChange = (connection: Connection): void => {
  const changeSet = openChangeSet(lastChange(connection, readChange));
  changeSet.nextChange();
  writeRest(connection, changeSet);
};

/** Takes a change number for nothing, as SQLite writes no page that stays the same. @returns whether the lock was free */
export const tryWriting = (connection: Connection): boolean => {
  if (!begin(connection)) return false;
  try {
    takeChange(connection);
    connection.run('COMMIT', []);
    return true;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
};

/** From this many new rows on, their words are indexed together. */
const MANY = 4;

/**
 * @param connection the only one that writes
 * @returns commits all intents in one transaction, or none; `undefined` where another connection holds the lock
 */
export const committer = (
  connection: Connection,
  catalogue: Catalogue,
): ((intents: readonly Intent[]) => readonly Outcome[] | undefined) => {
  const rows = rowsOf(connection, sqlOf(catalogue, sqlite));
  const last = readLast(catalogue);
  let quiet = 0;
  return (intents) => {
    if (!begin(connection)) return undefined;
    try {
      const changeSet = openChangeSet(lastChange(connection, last), Date.now(), quiet);
      const created = intents.filter(({ kind }) => kind === 'create').length;
      const indexWords = created < MANY ? undefined : indexLater(connection, catalogue, changeSet.last + 1);
      const outcomes = intents.map((intent) => applyIntent(catalogue, rows, intent, changeSet));
      indexWords?.();
      writeRest(connection, changeSet);
      connection.run('COMMIT', []);
      if (changeSet.lastChange() !== undefined) quiet = PAUSE;
      return outcomes;
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  };
};

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
