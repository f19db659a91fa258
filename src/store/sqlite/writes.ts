import { applyIntent, openBooks, type Rows } from '../apply.ts';
import type { Settled } from '../commit-queue.ts';
import type { Intent, Outcome, Row } from '../port.ts';
import { buryValues, insertValues, readChange, type SqlOf, updateValues, writeChange } from '../sql/items.ts';
import { addTotal } from '../sql/totals.ts';
import { busy, type Connection, isBusy, isUnavailable, rollBack } from './connection.ts';

const rowsOf = (connection: Connection, sql: SqlOf): Rows => ({
  read: (collection, keys) => connection.row<Row>(sql(collection).get, keys),
  insert: (collection, change, parents, cells) =>
    void connection.run(sql(collection).insert, insertValues(collection, change, parents, cells)),
  update: (collection, change, keys, cells) =>
    void connection.run(sql(collection).update, updateValues(collection, change, keys, cells)),
  remove: (collection, change, keys) => {
    connection.run(sql(collection).remove, keys);
    connection.run(sql(collection).bury, buryValues(collection, change, keys));
  },
});

/** @returns whether the lock was free and is held now */
const begin = (connection: Connection): boolean => {
  try {
    connection.run('BEGIN IMMEDIATE', []);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
};

/** All of them in one transaction, or none. */
const commitTogether = (connection: Connection, sql: SqlOf, intents: readonly Intent[]): Outcome[] | undefined => {
  if (!begin(connection)) return undefined;
  try {
    const books = openBooks(connection.row<[number]>(readChange, [])?.[0] ?? 0);
    const rows = rowsOf(connection, sql);
    const outcomes = intents.map((intent) => applyIntent(rows, intent, books));
    const change = books.change();
    if (change !== undefined) connection.run(writeChange, [change]);
    for (const total of books.totals()) connection.run(addTotal, total);
    connection.run('COMMIT', []);
    return outcomes;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
};

const commitAlone = (connection: Connection, sql: SqlOf, intent: Intent): Settled => {
  try {
    const [outcome] = commitTogether(connection, sql, [intent]) ?? [];
    return outcome ?? { kind: 'failed', error: busy() };
  } catch (error) {
    return { kind: 'failed', error };
  }
};

/**
 * Where an intent turns out to be impossible to do, which none should, each of its batch is done again in a transaction of
 * its own: so that it fails alone, and no batch pays for savepoints that it does not need.
 *
 * @param connection the only one that writes
 * @param sql the texts of each collection
 * @returns commits many intents in one transaction; `undefined` where another connection holds the lock
 */
export const committer =
  (connection: Connection, sql: SqlOf) =>
  (intents: readonly Intent[]): readonly Settled[] | undefined => {
    try {
      return commitTogether(connection, sql, intents);
    } catch (error) {
      // Not one intent's fault, but the database's.
      if (isUnavailable(error)) throw error;
      return intents.map((intent) => commitAlone(connection, sql, intent));
    }
  };
