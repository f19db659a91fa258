import { realpathSync } from 'node:fs';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../gateway/model/import.ts';
import type { Intent } from '../../gateway/port/port.ts';
import { Unavailable } from '../../gateway/port/unavailable.ts';
import { commitQueue } from '../commit-queue.ts';
import { type ApplyOptions, eventsFor, Imports } from '../imports/import-rows.ts';
import type { ImportWork } from '../imports/import-run.ts';
import { apiKeysOf, hooksOf, type RunStatement } from '../sql/clients.ts';
import { SMALL } from '../sql/list-sql.ts';
import { plannerOf, sqlOfAll } from '../sql/read-plan.ts';
import { sqliteSearch } from '../sql/search.ts';
import { sqlite, statement } from '../sql/statement.ts';
import { forgetDeletions, hasForgettable, readChange } from '../sql/system-tables.ts';
import type { CommonOptions, Store } from '../store.ts';
import { watchOf } from '../watch.ts';
import {
  type Connection,
  connect,
  inTransaction,
  numberOf,
  READ_VERSION,
  withErrorMapping as use,
  waitingForLock,
  withErrorMapping,
} from './connection.ts';
import { FileWrites } from './file-writes.ts';
import { type LongReadsOptions, readsOfFile, readsOfMemory } from './long-reads.ts';
import { readsOf } from './reads.ts';
import { MEMORY, type OpenOptions, openDatabase } from './schema.ts';
import { threadOf } from './thread.ts';
import { walSize } from './wal.ts';
import type { ImportNews, Work, WriterServices } from './writer-worker.ts';
import { committer, importRows, takeChange } from './writes.ts';

const SQL = { dialect: sqlite, searchIn: sqliteSearch } as const;
/** Milliseconds between two looks at whether others have written. */
const LOOK = 100;
/** Reads the bytes of the database, those that are still in its log included. */
const SIZE = statement('SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()');

/**
 * Opens the embedded database, creating what is missing.
 *
 * @param location a file's path, its folder created where missing; or `:memory:`
 * @param catalogue what it keeps
 * @throws DatabaseError where it cannot be used, with the reason; what is there is left untouched
 */
export const openSqlite = async (
  location: string,
  catalogue: Catalogue,
  options: SqliteOptions = {},
): Promise<Store> => {
  const { clientShare: share = 1, listTimeout: timeout, cacheBytes = 0, onCommit } = options;
  const main = openDatabase(location, catalogue, options);
  const slow = { share, timeout };
  const database =
    location === MEMORY ? inMemory(main, catalogue, slow) : inFile({ ...options, main, location, catalogue, slow });
  const { reader, long } = database;
  // In memory the reader is who writes, so that it cannot see what has changed.
  const reads = readsOf({ reader, catalogue, use, long, cacheBytes: location === MEMORY ? 0 : cacheBytes });
  // Of the first connection, which reads nothing else.
  const { watch, tell } = watchOf(() => use(() => main.row<[number]>(database.version, []))?.[0], LOOK);
  const queue = commitQueue(database.commit, {
    onCommit: (...commit) => {
      onCommit?.(...commit);
      tell();
    },
  });
  const imports = new Imports((...sent) => queue.between(() => database.importRows(...sent)).finally(tell));
  const readOwn: RunStatement = (asked) => use(() => main.rows(asked));
  /** By commands only, beside the commit queue of a service. */
  const writeOwn: RunStatement = (change) => use(() => waitingForLock(main, () => main.rows(change)));
  /** The same by the thread of hooks, without a loss of what is kept. */
  const writeOften: RunStatement = (change) =>
    use(() =>
      waitingForLock(main, () =>
        inTransaction(main, () => {
          takeChange(main);
          return main.rows(change);
        }),
      ),
    );
  let isOpen = true;

  return {
    read: reads.read,
    summarize: reads.summarize,
    plan: plannerOf({ ...SQL, isSmall: ({ size }) => use(() => numberOf(reader, size)) <= SMALL }),
    countRows: (collection) =>
      reads.count({ sql: sqlOfAll(collection, SQL), cost: collection.parent ? 'scan' : 'index' }),
    write: queue.write,
    importRows: imports.importRows,
    watch,
    apiKeys: apiKeysOf(readOwn, writeOwn),
    hooks: hooksOf(readOwn, writeOften),
    forgetDeletions: async (before) => {
      // The thread that writes is started only where there is anything to do.
      if (use(() => main.rows(hasForgettable(before))).length > 0) await database.forget(before);
    },
    size: () => {
      const walBytes = database.walBytes();
      return { bytes: use(() => numberOf(main, SIZE)), ...(walBytes === undefined ? {} : { walBytes }) };
    },
    ready: async (toWrite = false) => {
      try {
        return isOpen && (await database.isReady(toWrite));
      } catch {
        return false;
      }
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await Promise.all([long.close(), imports.close(), queue.drain()]);
      await database.close();
    },
  };
};

/** A database in a file: threads read what is slow, write and import. */

/** By default, in bytes. */
const MOST_WAL = 268_435_456;

/** MiB of new objects of the thread that writes, nearly all of which are garbage soon. */
const YOUNG = 8;

/** KiB of pages that the reading connection caches. */
const CACHE = 16_384;

interface FileOptions extends Pick<SqliteOptions, 'walLimit' | 'report'> {
  /** The first connection to the file. */
  readonly main: Connection;
  readonly location: string;
  readonly catalogue: Catalogue;
  readonly slow: LongReadsOptions;
}

/** What a database in a file does in another way than one in memory. */
export type Database = ReturnType<typeof inFile>;

const inFile = ({ main, location, catalogue, slow, walLimit = MOST_WAL, report = () => {} }: FileOptions) => {
  const path = realpathSync(location);
  // The last connection to close folds the log into the file, unless it can only read.
  const reader = connect(path, { readOnly: true });
  reader.exec(`PRAGMA cache_size = -${CACHE}`);
  reader.row(readChange, []);
  const workerData = { location: path, catalogue } satisfies Work;
  const writer = threadOf<WriterServices, ImportNews>(new URL('./writer-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
  });
  const long = readsOfFile(path, slow);
  const { write, isThere, takesWrites } = new FileWrites({ path, writer, lists: long, walLimit, report });
  /** One at a time. */
  const importRows = async (
    work: ImportWork,
    { onRejected, onProgress, signal }: ApplyOptions,
  ): Promise<ImportOutcome | undefined> => {
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    const stop = (): void => void Atomics.store(stopped, 0, 1);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    writer.listen((news) => {
      if ('rejected' in news) onRejected(news.rejected);
      else onProgress(news.rows);
    });
    let end: unknown;
    const ask = (): Promise<ImportOutcome | undefined> =>
      writer.ask('importRows', [work, stopped]).catch((error: unknown) => {
        // The database takes writes although nobody waits for this one any more, or its changes cannot be listed.
        if (!signal.aborted && !(error instanceof Unavailable && error.reason === 'imports')) throw error;
        end = error;
        return undefined;
      });
    try {
      const outcome = await write(ask);
      if (end !== undefined) throw end;
      return outcome;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };

  return {
    reader,
    commit: (intents: readonly Intent[]) => write(() => writer.ask('commit', [intents])),
    forget: async (before: number): Promise<void> => void (await write(() => writer.ask('forget', [before]))),
    importRows,
    long,
    /** A statement whose result differs after every commit. */
    version: READ_VERSION,
    /** Bytes of the log. */
    walBytes: (): number | undefined => walSize(path),
    /** Whether it can be read, or also written. */
    isReady: async (toWrite: boolean): Promise<boolean> =>
      main.row(readChange, []) !== undefined && (!toWrite || (await takesWrites())),
    /** Called when nothing is read or written any more. */
    close: async (): Promise<void> => {
      await writer.close();
      // The log beside a file that is not ours stays as it is: the last one to close would take it away, unless it can only read.
      for (const connection of isThere(0) ? [reader, main] : [main, reader]) connection.close();
    },
  };
};

/** A database in memory: no other connection can see it, so that all is done on the store's own. */

const inMemory = (main: Connection, catalogue: Catalogue, slow: LongReadsOptions): Database => {
  const commit = committer(main, catalogue);
  return {
    reader: main,
    commit: async (intents) => withErrorMapping(() => commit(intents)),
    forget: async (before) => void main.rows(forgetDeletions(before)),
    // It blocks the event loop: there is only one connection.
    importRows: async (work, options) => {
      const events = eventsFor(work, options, () => {});
      return withErrorMapping(() => importRows(main, catalogue, work, events));
    },
    long: readsOfMemory(main, slow),
    version: readChange,
    walBytes: () => undefined,
    isReady: async () => true,
    close: async () => main.close(),
  };
};

/** How a file is used; what is left out has a default. */
export interface SqliteOptions extends CommonOptions, OpenOptions {
  /** Bytes of the write-ahead log at which the lists that keep it from shrinking are broken off, 268,435,456. */
  readonly walLimit?: number | undefined;
  /** Bytes of the rows of items that are kept in memory, 0; a database in memory keeps none. */
  readonly cacheBytes?: number | undefined;
}
