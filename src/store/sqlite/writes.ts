import type { Collection } from '../../model/catalogue.ts';
import type { Cell } from '../../model/field.ts';
import { isRuledOut, matches, type Precondition } from '../../model/precondition.ts';
import type { Commit, Settled } from '../commit-queue.ts';
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

/** Does one intent whole or not at all, whatever becomes of its neighbours. */
const isolated = (connection: Connection, work: () => Outcome): Settled => {
  connection.exec('SAVEPOINT intent');
  try {
    const outcome = work();
    connection.exec('RELEASE intent');
    return outcome;
  } catch (error) {
    // Not this intent's fault, and SQLite may have rolled back all of them already, as it does when the disk is full.
    if (isUnavailable(error)) throw error;
    connection.exec('ROLLBACK TO intent; RELEASE intent');
    return { kind: 'failed', error };
  }
};

/** @returns whether the lock was free and is held now */
const begin = (connection: Connection): boolean => {
  try {
    connection.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
};

/**
 * @param connection the only one that writes
 * @param sql the texts of each collection
 * @returns a commit of many intents in one transaction
 */
export const committer =
  (connection: Connection, sql: SqlOf): Commit =>
  (intents) => {
    if (!begin(connection)) return undefined;
    try {
      const books = openBooks(connection);
      const settled = intents.map((intent) => isolated(connection, () => applyIntent(connection, sql, intent, books)));
      books.close();
      connection.exec('COMMIT');
      return settled;
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  };
