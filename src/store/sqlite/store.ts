import { realpathSync } from 'node:fs';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { createStore, type Database } from '../sql/store.ts';
import { forgetDeletions, hasForgettable, readChange } from '../sql/system-tables.ts';
import type { CommonOptions, Store } from '../store.ts';
import { type Connection, connect, mapErrors, READ_VERSION } from './connection.ts';
import { FileWriter, walSize } from './file-writer.ts';
import { LongReads } from './long-reads.ts';
import { Reads } from './reads.ts';
import { MEMORY, openDatabase } from './schema.ts';
import { Committer, importRows, takeChange } from './writes.ts';

/** Milliseconds between two looks at whether others have written. */
const LOOK = 100;
const MOST_WAL = 268_435_456;
/** KiB of pages that the connection caches which reads in the event loop. */
const CACHE = 16_384;

const SELECT_BYTES = 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size';

export interface SqliteOptions extends CommonOptions {
  /** Bytes of the write-ahead log at which the lists that keep it from shrinking are broken off, 268,435,456. */
  readonly walLimit?: number | undefined;
  /** Bytes of the cache of items, 0; a database in memory has none. */
  readonly cacheBytes?: number | undefined;
}

/** Works on the first connection, which reads no items, so that it sees by its version what others have written. */
function runOn(main: Connection): Pick<Database, 'select' | 'modify'> {
  return {
    select: (query) => mapErrors(() => main.rows(query)),
    // Waits for the lock, beside the queue; rows in memory stay current.
    modify: (query) =>
      mapErrors(() =>
        main.waitingForLock(() =>
          main.inTransaction(() => {
            takeChange(main);
            return main.rows(query);
          }),
        ),
      ),
  };
}

function createFileDatabase(
  main: Connection,
  location: string,
  catalogue: Catalogue,
  { clientShare = 1, listTimeout, walLimit = MOST_WAL, cacheBytes = 0, report: warn = () => {} }: SqliteOptions,
): Database {
  const path = realpathSync(location);
  // The last connection to close folds the log into the file, unless it can only read.
  const reader = connect(path, { readOnly: true });
  reader.exec(`PRAGMA cache_size = -${CACHE}`);
  reader.row(readChange);
  const long = new LongReads(path, clientShare, listTimeout);
  const writer = new FileWriter({ path, catalogue, lists: long, walLimit, warn });
  return {
    ...runOn(main),
    reads: new Reads({ reader, catalogue, long, cacheBytes }),
    commit: writer.commit,
    importRows: writer.importRows,
    forgetDeletions: async (before) => {
      // The thread that writes is started only if there is anything to do.
      const isNeeded = mapErrors(() => main.rows(hasForgettable(before))).length > 0;
      if (isNeeded) await writer.forgetDeletions(before);
    },
    walBytes: () => walSize(path),
    isReady: async (toWrite) => main.row(readChange) !== undefined && (!toWrite || writer.takesWrites()),
    endReads: () => long.close(),
    close: async () => {
      // The thread has nothing left to do but to fold the log, and the last connection does that.
      await writer.close();
      // The log beside a file that is not ours stays as it is: the last one to close would take it away, unless it can only read.
      const connections = writer.isThere(0) ? [reader, main] : [main, reader];
      for (const connection of connections) connection.close();
    },
  };
}

/** No other connection can see a database in memory, so that all is done on the first one, and blocks the event loop. */
function createMemoryDatabase(main: Connection, catalogue: Catalogue): Database {
  const committer = new Committer(main, catalogue);
  return {
    ...runOn(main),
    reads: new Reads({ reader: main, catalogue, long: undefined, cacheBytes: 0 }),
    commit: async (intents) => mapErrors(() => committer.commit(intents)),
    importRows: async (work, { onProgress }) => mapErrors(() => importRows(main, catalogue, work, onProgress)),
    forgetDeletions: (before) => void main.rows(forgetDeletions(before)),
    isReady: async () => true,
    close: async () => main.close(),
  };
}

/** Opens the embedded database, creating what is missing. @throws DatabaseError if it cannot be used; it is left untouched then */
export async function openSqlite(location: string, catalogue: Catalogue, options: SqliteOptions = {}): Promise<Store> {
  const { report: warn = () => {}, onCommit } = options;
  const main = openDatabase(location, catalogue, warn);
  const database =
    location === MEMORY
      ? createMemoryDatabase(main, catalogue)
      : createFileDatabase(main, location, catalogue, options);
  return createStore(database, { selectVersion: READ_VERSION, interval: LOOK, selectBytes: SELECT_BYTES, onCommit });
}
