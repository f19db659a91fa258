import type { Catalogue, Collection } from '../../gateway/model/catalogue.ts';
import type { CommandText } from '../../gateway/texts/shown-text.ts';
import { statement } from '../../store/sql/statement.ts';
import { type Connection, waitingForLock } from '../../store/sqlite/connection/connection.ts';
import { isDamaged } from '../../store/sqlite/connection/errors.ts';
import { checkSearchIndex, hasSearchIndex, isIndexed } from '../../store/sqlite/schema/search-index.ts';
import type { Values } from '../commands/command-error.ts';

/** Something that is wrong in a database. */
export interface Finding {
  readonly text: CommandText;
  readonly values: Values;
}

/** The most faults that are listed; there may be thousands. */
const MOST = 20;

/** A fault of an index of words, which SQLite's own check may report too; it is found by itself. */
const WORDS_FAULT = /FTS5 table/;

/** @returns what SQLite's own check finds, and what it says if it cannot finish, because the database is damaged */
function checkIntegrity(connection: Connection): readonly string[] {
  try {
    const lines = connection.rows<[string]>(statement(`PRAGMA integrity_check(${MOST})`)).flat();
    return lines.filter((line) => line !== 'ok' && !WORDS_FAULT.test(line));
  } catch (error) {
    if (isDamaged(error)) return [(error as Error).message];
    throw error;
  }
}

/** @returns damage that nothing can be derived from: pages, tables and indexes, and items without their parent */
export function findDamage(connection: Connection): readonly Finding[] {
  const faults = checkIntegrity(connection);
  if (faults.length > 0) return faults.map((reason) => ({ text: 'verify-own', values: { reason } }));
  const orphans = connection.rows<[string]>(statement('PRAGMA foreign_key_check'));
  return [...Map.groupBy(orphans, ([table]) => table)].map(([table, { length: rows }]) => ({
    text: 'verify-orphans',
    values: { table, rows },
  }));
}

function isIndexRight(connection: Connection, collection: Collection): boolean {
  if (!hasSearchIndex(connection, collection)) return false;
  try {
    // The statement counts as one that writes, so it needs the lock, although nothing is written.
    waitingForLock(connection, () => connection.exec(checkSearchIndex(collection)));
    return true;
  } catch (error) {
    if (isDamaged(error)) return false;
    throw error;
  }
}

/** @returns the collections whose index of words is not what their items contain */
export function findWrongIndexes(connection: Connection, catalogue: Catalogue): readonly Collection[] {
  return catalogue.filter((each) => isIndexed(each) && !isIndexRight(connection, each));
}
