import { type Catalogue, type Collection, findCollection, keyIds } from '../../gateway/model/catalogue.ts';
import type { Cell, Field, Value } from '../../gateway/model/field.ts';
import type { ImportOutcome } from '../../gateway/model/import.ts';
import { comparedCell } from '../../gateway/model/query.ts';
import type { Intent, KeyedRow, Keys, Outcome, Row } from '../../gateway/port/port.ts';
import { applyIntent, type TransactionRows } from '../apply.ts';
import { ChangeSet, type IdempotencyRecord, MIN_GAP } from '../change-set.ts';
import { ImportRun, type ImportWork, isStored, type Need } from '../imports/import-run.ts';
import {
  createItemSql,
  type FindItemSql,
  insertValues,
  selectHaving,
  selectKeys,
  selectReferring,
  toKeyedRow,
  tombstoneValues,
  updateValues,
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

class StoredRows implements TransactionRows {
  readonly #connection: Connection;
  readonly #sql: FindItemSql;

  constructor(connection: Connection, sql: FindItemSql) {
    this.#connection = connection;
    this.#sql = sql;
  }

  readonly read = (collection: Collection, keys: Keys): Row | undefined =>
    this.#connection.row<Row>(this.#sql(collection).select, keyIds(collection, keys));

  readonly having = (collection: Collection, field: Field, value: Value): readonly KeyedRow[] =>
    this.#select(collection, statement(selectHaving(collection, field, '= ?'), [comparedCell(field, value)]));

  readonly referring = (collection: Collection, field: Field, key: string): readonly KeyedRow[] =>
    this.#select(collection, selectReferring(collection, field, key));

  readonly below = (child: Collection, keys: Keys): readonly string[] =>
    this.#connection.rows<[string]>(selectKeys(child, keys)).map(([key]) => key);

  readonly insert = (collection: Collection, change: number, parents: Keys, cells: readonly Cell[]): void =>
    void this.#connection.run(this.#sql(collection).insert, insertValues(collection, change, change, parents, cells));

  readonly update = (collection: Collection, change: number, keys: Keys, cells: readonly Cell[]): void =>
    void this.#connection.run(this.#sql(collection).update, updateValues(collection, change, keys, cells));

  readonly remove = (collection: Collection, change: number, keys: Keys): void => {
    this.#connection.run(this.#sql(collection).remove, keys);
    this.#connection.run(INSERT_TOMBSTONE, tombstoneValues(collection, change, keys));
  };

  readonly record = (key: string): IdempotencyRecord | undefined => {
    const record = this.#connection.row<RecordRow>(SELECT_RECORD, [key]);
    return record && toRecord(record);
  };

  #select(collection: Collection, query: Statement): readonly KeyedRow[] {
    return this.#connection.rows<Cell[]>(query).map((cells) => toKeyedRow(collection, cells));
  }
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

/** From this many new rows on, their words are indexed together. */
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
    this.#rows = new StoredRows(connection, createItemSql(catalogue, sqlite));
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
  const sql = createItemSql(catalogue, sqlite);
  const rows = new StoredRows(connection, sql);
  const list = findCollection(catalogue, work.collection);
  const written = [list.flattens ?? list, ...work.nested.map((name) => findCollection(catalogue, name))];
  const answer = (need: Need): unknown => {
    if (need.kind === 'rows') return rows;
    const ids = connection.iterate<[string]>(selectKeys(list, work.rules.parents));
    return [...ids.flatMap(([id]) => (need.select(id) ? [id] : []))];
  };

  return connection.tryTransaction(() => {
    const changeSet = new ChangeSet(connection.number(selectLastChange(catalogue)), Date.now(), 0);
    const indexWords = indexLater(connection, written, changeSet.last + 1);
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
