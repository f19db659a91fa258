import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { commitQueue } from '../commit-queue.ts';
import { Imports } from '../imports/import-rows.ts';
import { sqlite } from '../sql/dialects.ts';
import { SMALL } from '../sql/lists/list-sql.ts';
import { plannerOf, sqlOfAll } from '../sql/lists/read-plan.ts';
import { sqliteSearch } from '../sql/search.ts';
import { statement } from '../sql/statement.ts';
import { apiKeysOf, hooksOf, type RunStatement } from '../sql/system/clients.ts';
import { hasForgettable } from '../sql/system-tables.ts';
import type { Store } from '../store.ts';
import { watchOf } from '../watch.ts';
import { inTransaction, numberOf, withErrorMapping as use, waitingForLock } from './connection/connection.ts';
import { SQLITE_LIMITS, type SqliteOptions } from './connection/options.ts';
import { inFile } from './file.ts';
import { readsOf } from './reads/reads.ts';
import { MEMORY, openDatabase } from './schema/open-database.ts';
import { takeChange } from './writes/writes.ts';

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
  const { limits = SQLITE_LIMITS, clientShare: share = 1, listTimeout: timeout, cacheBytes = 0, onCommit } = options;
  const main = openDatabase(location, catalogue, options);
  const slow = { limits, share, timeout };
  const database =
    location === MEMORY
      ? // Loaded here, because it writes by itself: a file has a thread for that.
        (await import('./memory.ts')).inMemory(main, catalogue, slow)
      : inFile({ ...options, main, location, catalogue, slow });
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
