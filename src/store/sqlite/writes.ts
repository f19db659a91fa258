import type { Collection } from '../../model/catalogue.ts';
import type { Cell } from '../../model/field.ts';
import { isRuledOut, matches, type Precondition } from '../../model/precondition.ts';
import { type Commit, type Settled, unavailable } from '../commit-queue.ts';
import type { Intent, Keys, Outcome, Row } from '../port.ts';
import { buryValues, insertValues, readChange, type SqlOf, updateValues, writeChange } from '../sql/items.ts';
import { addTotal, totalKeys } from '../sql/totals.ts';
import { type Connection, isBusy, isUnavailable, rollBack } from './connection.ts';

/** The books of one transaction, written down once at its end. */
interface Books {
  /** Gives the next change number; only what really changes takes one. */
  readonly nextChange: () => number;
  /** Takes down that an item is there or is so no more. */
  readonly count: (collection: Collection, cells: readonly Cell[], by: 1 | -1) => void;
  readonly close: () => void;
}

const openBooks = (connection: Connection): Books => {
  const first = connection.row<[number]>(readChange, [])?.[0] ?? 0;
  let change = first;
  const counts = new Map<string, { readonly values: readonly Cell[]; readonly by: number }>();
  return {
    nextChange: () => ++change,
    count: (collection, cells, by) => {
      for (const key of totalKeys(collection, cells)) {
        const values = [collection.name, ...key];
        const name = values.join('\0');
        counts.set(name, { values, by: (counts.get(name)?.by ?? 0) + by });
      }
    },
    close: () => {
      if (change !== first) connection.run(writeChange, [change]);
      for (const { values, by } of counts.values()) if (by !== 0) connection.run(addTotal, [...values, by]);
    },
  };
};

const missing = (collection: Collection): Outcome => ({ kind: 'missing', collection });

const allows = (precondition: Precondition | undefined, [revision]: Row): boolean =>
  matches(precondition, revision) && !isRuledOut(precondition, revision);

const applyIntent = (connection: Connection, sql: SqlOf, intent: Intent, books: Books): Outcome => {
  const { collection } = intent;
  const read = (of: Collection, keys: Keys): Row | undefined => connection.row<Row>(sql(of).get, keys);
  /** The missing item that is nearest to the top. */
  const missingAt = (keys: Keys): Outcome => {
    const { parent } = collection;
    return missing(parent && !read(parent, keys.slice(0, -1)) ? parent : collection);
  };

  switch (intent.kind) {
    case 'create': {
      const { parents, cells } = intent;
      if (collection.parent && !read(collection.parent, parents)) return missing(collection.parent);
      if (read(collection, [...parents, String(cells[0])])) return { kind: 'taken' };
      const change = books.nextChange();
      connection.run(sql(collection).insert, insertValues(collection, change, parents, cells));
      books.count(collection, cells, 1);
      return { kind: 'written', row: [change, ...cells] };
    }
    case 'update': {
      const { keys, changes } = intent;
      const before = read(collection, keys);
      if (!before) return missingAt(keys);
      if (!allows(intent.precondition, before)) return { kind: 'changed' };
      const [, ...old] = before;
      const cells = old.map((cell, at): Cell => (changes[at] === undefined ? cell : changes[at]));
      if (cells.every((cell, at) => cell === old[at])) return { kind: 'written', row: before };
      const change = books.nextChange();
      connection.run(sql(collection).update, updateValues(collection, change, keys, cells));
      books.count(collection, old, -1);
      books.count(collection, cells, 1);
      return { kind: 'written', row: [change, ...cells] };
    }
    case 'remove': {
      const { keys } = intent;
      const before = read(collection, keys);
      if (!before) return missingAt(keys);
      if (!allows(intent.precondition, before)) return { kind: 'changed' };
      connection.run(sql(collection).remove, keys);
      connection.run(sql(collection).bury, buryValues(collection, books.nextChange(), keys));
      books.count(collection, before.slice(1), -1);
      return { kind: 'removed' };
    }
  }
};

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
    const books = openBooks(connection);
    const outcomes = intents.map((intent) => applyIntent(connection, sql, intent, books));
    books.close();
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
    return outcome ?? { kind: 'failed', error: unavailable(new Error('the database is locked')) };
  } catch (error) {
    return { kind: 'failed', error: isUnavailable(error) ? unavailable(error) : error };
  }
};

/**
 * Where an intent turns out to be impossible to do, which none should, each of its batch is done again in a transaction of
 * its own: so that it fails alone, and no batch pays for savepoints that it does not need.
 *
 * @param connection the only one that writes
 * @param sql the texts of each collection
 * @returns a commit of many intents in one transaction
 */
export const committer =
  (connection: Connection, sql: SqlOf): Commit =>
  (intents) => {
    try {
      return commitTogether(connection, sql, intents);
    } catch (error) {
      // Not one intent's fault, but the database's.
      if (isUnavailable(error)) throw error;
      return intents.map((intent) => commitAlone(connection, sql, intent));
    }
  };
