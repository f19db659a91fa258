import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Catalogue } from '../../model/catalogue.ts';
import { andThen } from '../../model/maybe-promise.ts';
import { commitQueue } from '../commit-queue.ts';
import { DatabaseError } from '../database-error.ts';
import type { ReadLimits } from '../places.ts';
import type { Row, Store } from '../port.ts';
import { sqlite } from '../sql/dialects.ts';
import { sqlOf } from '../sql/items.ts';
import { readChange } from '../sql/system-tables.ts';
import { type Connection, connect, toUnavailable, withErrorMapping } from './connection.ts';
import { listsInFile, listsInMemory } from './lists.ts';
import { logWatch } from './log.ts';
import { type OpenLists, openLists } from './open-lists.ts';
import type { SqliteOptions } from './options.ts';
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
    fold: async () => true,
    close: async () => {},
  };
};

/** Defaults: milliseconds and bytes. */
const LIST_TIMEOUT = 900_000;
const LOG_LIMIT = 268_435_456;

/** Milliseconds between looks at the file. */
const LOOK = 250;

const MIB = 1_048_576;

/** @returns a timer that keeps the log as small as it may be */
const watchFile = (
  location: string,
  limit: number,
  writer: Writer,
  reading: OpenLists,
  report: (message: string) => void,
): NodeJS.Timeout => {
  const onPinned = (size: number): void => {
    const count = reading.endAll('the write-ahead log had to be folded (DATABASE_LOG_LIMIT)');
    const told = `${location}: the write-ahead log has ${Math.ceil(size / MIB)} MiB`;
    if (count > 0) report(`${told}; ${count} lists that kept it from shrinking were broken off`);
  };
  const look = logWatch({ location, limit, fold: writer.fold, onPinned });
  return setInterval(() => void look().catch(() => {}), LOOK).unref();
};

/**
 * Opens the embedded database, creating what is missing.
 *
 * @param location a file's path, its folder created where missing; or `:memory:`
 * @param catalogue what it keeps
 * @throws DatabaseError where it cannot be used, with the reason; what is there is left untouched
 */
export const openSqlite = (
  location: string,
  catalogue: Catalogue,
  {
    listTimeout = LIST_TIMEOUT,
    logLimit = LOG_LIMIT,
    report = () => {},
    clientShare = 1,
  }: SqliteOptions & ReadLimits = {},
): Store => {
  const main = openOrExplain(location, catalogue);
  const sql = sqlOf(catalogue, sqlite);
  const writer = location === MEMORY ? writerInMemory(main, catalogue) : writerThread({ location, catalogue });
  const queue = commitQueue(writer.commit);
  const lists = location === MEMORY ? listsInMemory(main, clientShare) : listsInFile(main, location, clientShare);
  // In memory there is no other connection.
  const look = location === MEMORY ? readChange : readVersion;
  const reading = openLists(listTimeout);
  const watch = location === MEMORY ? undefined : watchFile(realpathSync(location), logLimit, writer, reading, report);
  let isOpen = true;

  return {
    get: (collection, keys) => withErrorMapping(() => main.row<Row>(sql(collection).select, keys)),
    summarize: (...asked) => withErrorMapping(() => lists.summarize(...asked)),
    list: (...asked) =>
      andThen(
        withErrorMapping(() => lists.list(...asked)),
        (listing) => (listing?.long ? reading.add(listing) : listing),
      ),
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
      clearInterval(watch);
      const read = lists.close();
      await queue.drain();
      await writer.close();
      await read;
      main.close();
    },
  };
};
