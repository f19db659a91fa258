import { realpathSync, statSync } from 'node:fs';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { commitQueue } from '../commit-queue.ts';
import { observedCommit } from '../observed-commit.ts';
import type { ReadOptions } from '../read-options.ts';
import { sqlite } from '../sql/dialects.ts';
import { sqlOf } from '../sql/items.ts';
import { readChange } from '../sql/system-tables.ts';
import type { Store } from '../store.ts';
import { sqliteApiKeys } from './api-keys.ts';
import { type Connection, connect, READ_VERSION } from './connection/connection.ts';
import { SQLITE_LIMITS, type SqliteOptions } from './connection/options.ts';
import { fileImports } from './imports/import-thread.ts';
import { sqliteQuota } from './quota.ts';
import { readsOfFile } from './reads/long-reads.ts';
import { readsOf } from './reads/reads.ts';
import { walSize } from './schema/wal.ts';
import { fileWatch } from './watch/file-watch.ts';
import { writerThread } from './writes/writer-thread.ts';

/** By default, in bytes. */
const MOST_WAL = 268_435_456;

/** @param main the first connection to a database in a file */
export const fileStore = (
  main: Connection,
  location: string,
  catalogue: Catalogue,
  options: SqliteOptions & ReadOptions,
): Store => {
  const { listTimeout, walLimit = MOST_WAL, report = () => {}, clientShare: share = 1, onCommit } = options;
  const path = realpathSync(location);
  // The last connection to close folds the log into the file, unless it can only read.
  const reader = connect(path, { readOnly: true });
  reader.row(readChange, []);
  const sql = sqlOf(catalogue, sqlite);
  const writer = writerThread({ location: path, catalogue });
  const long = readsOfFile(path, { limits: options.limits ?? SQLITE_LIMITS, share, timeout: listTimeout });
  const watch = fileWatch({ path, main, writer, lists: long, walLimit, report });
  const queue = commitQueue(observedCommit(watch.commit, onCommit));
  const reads = readsOf({ main, catalogue, sql, version: READ_VERSION, long }, options);
  const imports = fileImports({ location: path, catalogue, write: watch.write });
  const quota = sqliteQuota(`${path}-limits`);
  let isOpen = true;

  return {
    ...reads,
    plan: (request) => watch.use(() => reads.plan(request)),
    read: (...asked) => watch.use(() => reads.read(...asked)),
    summarize: (...asked) => watch.use(() => reads.summarize(...asked)),
    countRows: (collection) => watch.use(() => reads.countRows(collection)),
    write: queue.write,
    importRows: imports.importRows,
    apiKeys: sqliteApiKeys(main, watch.use),
    takeQuota: quota.take,
    size: () => watch.use(() => ({ bytes: statSync(path).size, walBytes: walSize(path) })),
    ready: (toWrite = false) => {
      try {
        return isOpen && watch.isReady(toWrite) && main.row(readChange, []) !== undefined;
      } catch {
        return false;
      }
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      const read = long.close();
      await Promise.all([imports.close(), queue.drain()]);
      await writer.close();
      await read;
      quota.close();
      // A file that is not ours any more stays as it is.
      for (const connection of watch.close() ? [reader, main] : [main, reader]) connection.close();
    },
  };
};
