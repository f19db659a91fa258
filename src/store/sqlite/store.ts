import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Catalogue } from '../../model/catalogue.ts';
import { commitQueue } from '../commit-queue.ts';
import { DatabaseError } from '../database-error.ts';
import type { Row, Store } from '../port.ts';
import { sqlite } from '../sql/dialects.ts';
import { sqlOf } from '../sql/items.ts';
import { readChange } from '../sql/system-tables.ts';
import { type Connection, connect, toUnavailable, withErrorMapping } from './connection.ts';
import { listsInFile, listsInMemory } from './lists.ts';
import { checkFile, prepareDatabase } from './schema.ts';
import { type Writer, writerThread } from './writer-thread.ts';
import { committer } from './writes.ts';

const MEMORY = ':memory:';

/** A number that is another one after every commit of another connection, read in a µs and a half. */
const readVersion = 'PRAGMA data_version';

const open = (location: string, catalogue: Catalogue): Connection => {
  if (location !== MEMORY) {
    if (existsSync(location)) checkFile(location);
    else mkdirSync(dirname(resolve(location)), { recursive: true });
  }
  const connection = connect(location);
  try {
    prepareDatabase(connection, catalogue);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
};

/** @throws DatabaseError with the location and the reason, where the database cannot be used */
const openOrExplain = (location: string, catalogue: Catalogue): Connection => {
  try {
    return open(location, catalogue);
  } catch (error) {
    throw new DatabaseError(`${location}: ${(error as Error).message}`, { cause: error });
  }
};

/** On the store's own connection, as no other can see its database. */
const writerInMemory = (main: Connection, catalogue: Catalogue): Writer => {
  const commit = committer(main, catalogue);
  return {
    commit: async (intents) =>
      withErrorMapping(() => commit(intents))?.map((each) =>
        each.kind === 'failed' ? { kind: each.kind, error: toUnavailable(each.error) } : each,
      ),
    close: async () => {},
  };
};

/**
 * Opens the embedded database, creating what is missing.
 *
 * @param location a file's path, its folder created where missing; or `:memory:`
 * @param catalogue what it keeps
 * @throws DatabaseError where it cannot be used, with the reason; what is there is left untouched
 */
export const openSqlite = (location: string, catalogue: Catalogue): Store => {
  const main = openOrExplain(location, catalogue);
  const sql = sqlOf(catalogue, sqlite);
  const writer = location === MEMORY ? writerInMemory(main, catalogue) : writerThread({ location, catalogue });
  const queue = commitQueue(writer.commit);
  const lists = location === MEMORY ? listsInMemory(main) : listsInFile(main, location);
  // In memory there is no other connection.
  const look = location === MEMORY ? readChange : readVersion;
  let isOpen = true;

  return {
    get: (collection, keys) => withErrorMapping(() => main.row<Row>(sql(collection).select, keys)),
    summarize: (collection, parents, query) => withErrorMapping(() => lists.summarize(collection, parents, query)),
    list: (collection, parents, query) => withErrorMapping(() => lists.list(collection, parents, query)),
    write: queue.write,
    dataVersion: () => {
      try {
        return main.row<[number]>(look, [])?.[0];
      } catch {
        return undefined;
      }
    },
    ready: () => {
      if (!isOpen) return false;
      try {
        return main.row(readChange, []) !== undefined;
      } catch {
        return false;
      }
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      lists.close();
      await queue.drain();
      await writer.close();
      main.close();
    },
  };
};
