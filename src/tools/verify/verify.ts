import { existsSync, realpathSync, statSync } from 'node:fs';
import type { Catalogue, Collection } from '../../gateway/model/catalogue.ts';
import { describeCause } from '../../gateway/port/unavailable.ts';
import type { Config } from '../../host/settings/config.ts';
import { isInMemory, isServer, readLocation } from '../../host/settings/database-url.ts';
import { statement } from '../../store/sql/statement.ts';
import { CHANGE, migrations } from '../../store/sql/system-tables.ts';
import {
  type Connection,
  connect,
  explainRights,
  isDamaged,
  isUnavailable,
  readUnlocked,
} from '../../store/sqlite/connection.ts';
import {
  checkDatabase,
  checkSearchIndex,
  hasSearchIndex,
  isIndexed,
  makeSearchIndex,
  readOwner,
} from '../../store/sqlite/schema.ts';
import { takeChange } from '../../store/sqlite/writes.ts';
import { DatabaseError } from '../../store/store.ts';
import { CommandError, type Text } from '../commands/command-error.ts';
import { type CommandContext, DONE, FOUND } from '../commands/run.ts';

/** @returns the path of the database. @throws CommandError if it is not a file */
export function findDatabaseFile({ DATABASE_URL: url }: Config, serverText: Extract<Text, `server-${string}`>): string {
  if (isServer(url)) throw new CommandError(serverText);
  if (isInMemory(url)) throw new CommandError('in-memory');
  const location = readLocation(url);
  return existsSync(location) ? realpathSync(location) : location;
}

export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}

function runOnFile<T>(file: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    const reason = describeCause(explainRights(path, error));
    if (isUnavailable(error) && !isDamaged(error))
      throw new CommandError('file-unusable', { file: path, reason }, error);
    throw new CommandError('file-damaged', { file, reason }, error);
  }
}

/** Checks the header of a file that may be in use. @throws CommandError if it is not a complete database of this service */
export function checkHeader(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new CommandError('file-missing', { file });
  runOnFile(file, file, () =>
    readUnlocked(file, (connection) => {
      const owner = readOwner(connection);
      const isNew = connection.pragma('schema_version') === 0;
      if (owner === 'another program' || (owner === 'nobody' && !isNew))
        throw new CommandError('file-foreign', { file });
    }),
  );
}

/**
 * Opens a database, works on it, and closes it; the last one to close it folds its log into it. @throws CommandError if it has
 * no catalogue, or one of a newer version
 */
export function withDatabase<T>(path: string, file: string, work: (connection: Connection) => T): T {
  return runOnFile(file, path, () => {
    const connection = connect(path);
    try {
      if (!connection.hasSchemaObject(CHANGE)) throw new CommandError('file-empty', { file });
      if (connection.pragma('user_version') > migrations.length) throw new CommandError('file-newer', { file });
      return work(connection);
    } finally {
      connection.close();
    }
  });
}

/** The most faults that are listed; there may be thousands. */
const MOST = 20;

/** A fault of an index of words, which SQLite's own check may report too; it is found by itself. */
const WORDS_FAULT = /FTS5 table/;

/** @returns damage that nothing can be derived from: pages, tables and indexes, and items without their parent */
export function findDamage(connection: Connection): readonly Pick<CommandError, 'text' | 'values'>[] {
  const faults = checkIntegrity(connection);
  if (faults.length > 0) return faults.map((reason) => ({ text: 'verify-own', values: { reason } }));
  const orphans = connection.rows<[string]>(statement('PRAGMA foreign_key_check'));
  return [...Map.groupBy(orphans, ([table]) => table)].map(([table, { length: rows }]) => ({
    text: 'verify-orphans',
    values: { table, rows },
  }));
}

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

export function findWrongIndexes(connection: Connection, catalogue: Catalogue): readonly Collection[] {
  return catalogue.filter((collection) => {
    if (!isIndexed(collection)) return false;
    if (!hasSearchIndex(connection, collection)) return true;
    try {
      // The statement counts as one that writes, so it needs the lock, although nothing is written.
      connection.waitingForLock(() => connection.exec(checkSearchIndex(collection)));
      return false;
    } catch (error) {
      if (isDamaged(error)) return true;
      throw error;
    }
  });
}

/** @throws CommandError or DatabaseError if the database is another catalogue's, or an earlier version wrote it last */
function checkCatalogue(connection: Connection, file: string, { catalogue }: CommandContext): void {
  if (connection.pragma('user_version') < migrations.length) throw new CommandError('database-old', { file });
  try {
    checkDatabase(connection, catalogue);
  } catch (error) {
    throw error instanceof DatabaseError ? new DatabaseError(`${file}: ${error.message}`) : error;
  }
}

/** Reports what is wrong with the database of a file, and makes wrong indexes of words anew. @returns the exit code */
export function verify(context: CommandContext): number {
  const { say, print, catalogue, config, flags } = context;
  const file = findDatabaseFile(config, 'server-verify');
  checkHeader(file);
  return withDatabase(file, file, (connection) => {
    checkCatalogue(connection, file, context);
    const damage = findDamage(connection);
    for (const { text, values } of damage) print(say(text, values));
    if (damage.length > 0) {
      print(say('repair-impossible'));
      return FOUND;
    }
    const wrongIndexes = findWrongIndexes(connection, catalogue);
    for (const { name } of wrongIndexes) print(say('verify-words', { table: name }));
    if (wrongIndexes.length > 0 && !flags.has('repair')) {
      print(say('repair-hint'));
      return FOUND;
    }
    for (const collection of wrongIndexes) {
      print(say('repair-begun', { table: collection.name }));
      connection.waitingForLock(() =>
        connection.inTransaction(() => {
          makeSearchIndex(connection, collection);
          // Clients and services keep lists by the change number.
          takeChange(connection);
        }),
      );
    }
    print(say('verify-sound', { database: `sqlite:${file}` }));
    return DONE;
  });
}
