import { type Catalogue, type Collection, findCollection, keyIds } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import type { ImportOutcome } from '../../gateway/model/import.ts';
import { comparedCell } from '../../gateway/model/query.ts';
import type { Intent, KeyedRow, Outcome, Row } from '../../gateway/port/port.ts';
import { applyIntent, type TransactionRows } from '../apply.ts';
import { ChangeSet, MIN_GAP } from '../change-set.ts';
import { ImportRun, type ImportWork, isStored, type Need } from '../imports/import-run.ts';
import {
  createItemSql,
  listInsertValues,
  listTombstoneValues,
  listUpdateValues,
  selectHaving,
  selectKeys,
  selectReferring,
  toKeyedRow,
} from '../sql/items.ts';
import { CREATED, insertInto, quote, type Statement, sqlite, statement } from '../sql/statement.ts';
import {
  listClosingWrites,
  type RecordRow,
  readChange,
  selectRecords,
  tombstones,
  toRecord,
} from '../sql/system-tables.ts';
import type { Connection } from './connection.ts';
import { indexLater } from './schema.ts';

const INSERT_TOMBSTONE = insertInto(sqlite, tombstones);
const SELECT_RECORD = selectRecords('= ?');

function createRows(connection: Connection, catalogue: Catalogue): TransactionRows {
  const sql = createItemSql(catalogue, sqlite);
  const select = (collection: Collection, query: Statement): readonly KeyedRow[] =>
    connection.rows<Cell[]>(query).map((cells) => toKeyedRow(collection, cells));
  return {
    read: (collection, keys) => connection.row<Row>(sql(collection).select, keyIds(collection, keys)),
    having: (collection, field, value) =>
      select(collection, statement(selectHaving(collection, field, '= ?'), [comparedCell(field, value)])),
    referring: (collection, field, key) => select(collection, selectReferring(collection, field, key)),
    below: (child, keys) => connection.rows<[string]>(selectKeys(child, keys)).map(([key]) => key),
    insert: (collection, change, parents, cells) =>
      void connection.run(sql(collection).insert, listInsertValues(collection, change, change, parents, cells)),
    update: (collection, change, keys, cells) =>
      void connection.run(sql(collection).update, listUpdateValues(collection, change, keys, cells)),
    remove: (collection, change, keys) => {
      connection.run(sql(collection).remove, keys);
      connection.run(INSERT_TOMBSTONE, listTombstoneValues(collection, change, keys));
    },
    record: (key) => {
      const record = connection.row<RecordRow>(SELECT_RECORD, [key]);
      return record && toRecord(record);
    },
  };
}

function writeRest(connection: Connection, changeSet: ChangeSet): void {
  const { inserts, statements } = listClosingWrites(sqlite, changeSet);
  for (const [sql, rows] of inserts) for (const row of rows) connection.run(sql, row);
  for (const { sql, values } of statements) connection.run(sql, values);
}

function selectLastChange(catalogue: Catalogue): Statement {
  const created = catalogue.map(({ name }) => `(SELECT coalesce(max(${CREATED}), 0) FROM ${quote(name)})`);
  return statement(`SELECT max("number", ${created.join(', ')}) FROM (${readChange})`);
}

/** Takes a change number in a transaction: after a commit without one, no row in memory counts as current. */
export function takeChange(connection: Connection): void {
  const changeSet = new ChangeSet(connection.number(statement(readChange)));
  changeSet.nextChange();
  writeRest(connection, changeSet);
}

/** Takes a change number for nothing, as SQLite writes no page that stays the same. @returns whether the lock was free */
export function tryWriting(connection: Connection): boolean {
  const isWritten = connection.tryTransaction(() => {
    takeChange(connection);
    return true;
  });
  return isWritten ?? false;
}

/** The least new rows whose words are indexed together. */
const MANY = 4;

export class Committer {
  readonly #connection: Connection;
  readonly #catalogue: Catalogue;
  readonly #rows: TransactionRows;
  readonly #last: Statement;
  #minGap = 0;

  constructor(connection: Connection, catalogue: Catalogue) {
    this.#connection = connection;
    this.#catalogue = catalogue;
    this.#rows = createRows(connection, catalogue);
    this.#last = selectLastChange(catalogue);
  }

  /** @returns `undefined` if another connection holds the lock */
  readonly commit = (intents: readonly Intent[]): readonly Outcome[] | undefined => {
    const [connection, catalogue] = [this.#connection, this.#catalogue];
    let hasChanged = false;
    const outcomes = connection.tryTransaction(() => {
      const changeSet = new ChangeSet(connection.number(this.#last), Date.now(), this.#minGap);
      const created = intents.filter(({ kind }) => kind === 'create').length;
      const indexWords = created < MANY ? undefined : indexLater(connection, catalogue, changeSet.last + 1);
      const all = intents.map((intent) => applyIntent(catalogue, this.#rows, intent, changeSet));
      indexWords?.();
      writeRest(connection, changeSet);
      hasChanged = changeSet.lastChange() !== undefined;
      return all;
    });
    if (hasChanged) this.#minGap = MIN_GAP;
    return outcomes;
  };
}

export function importRows(
  connection: Connection,
  catalogue: Catalogue,
  work: ImportWork,
  onProgress: (rows: number) => void,
): ImportOutcome | undefined {
  const rows = createRows(connection, catalogue);
  const list = findCollection(catalogue, work.collection);
  const changedLists = [list.flattens ?? list, ...work.nested.map((name) => findCollection(catalogue, name))];
  const answer = (need: Need): unknown => {
    if (need.kind === 'rows') return rows;
    const ids = connection.iterate<[string]>(selectKeys(list, work.rules.parents));
    return [...ids.flatMap(([id]) => (need.select(id) ? [id] : []))];
  };

  return connection.tryTransaction(() => {
    const changeSet = new ChangeSet(connection.number(selectLastChange(catalogue)), Date.now(), 0);
    const indexWords = indexLater(connection, changedLists, changeSet.last + 1);
    const steps = new ImportRun(catalogue, work, changeSet, onProgress).run(rows.record);
    let step = steps.next();
    while (!step.done) step = steps.next(answer(step.value));
    const outcome = step.value;
    if (isStored(outcome, changeSet)) {
      indexWords();
      writeRest(connection, changeSet);
    } else connection.rollBack();
    return outcome;
  });
}
