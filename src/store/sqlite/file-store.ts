import { realpathSync, statSync } from 'node:fs';
import type { Catalogue } from '../../model/catalogue.ts';
import type { Cell } from '../../model/field.ts';
import { andThen } from '../../model/maybe-promise.ts';
import { commitQueue } from '../commit-queue.ts';
import { observedCommit } from '../observed-commit.ts';
import { openLists } from '../open-lists.ts';
import type { Row, Store } from '../port.ts';
import type { ReadLimits } from '../slots.ts';
import { sqlite } from '../sql/dialects.ts';
import { selectWithNested, sqlOf, withNested } from '../sql/items.ts';
import { readChange } from '../sql/system-tables.ts';
import { type Connection, connect, READ_VERSION } from './connection/connection.ts';
import type { SqliteOptions } from './connection/options.ts';
import { fileImports } from './imports/import-thread.ts';
import { sqliteKeys } from './keys.ts';
import { sqliteQuota } from './quota.ts';
import { listsInFile } from './reads/lists.ts';
import { pageReaders } from './reads/pages.ts';
import { validatorOf } from './reads/validator.ts';
import { walSize } from './schema/wal.ts';
import { fileWatch } from './watch/file-watch.ts';
import { writerThread } from './writes/writer-thread.ts';

/** By default, in bytes. */
const LOG_LIMIT = 268_435_456;

/** @param main the first connection to a database in a file */
export const fileStore = (
  main: Connection,
  location: string,
  catalogue: Catalogue,
  { listTimeout, logLimit = LOG_LIMIT, report = () => {}, clientShare = 1, onCommit }: SqliteOptions & ReadLimits,
): Store => {
  const path = realpathSync(location);
  // The last connection to close folds the log into the file, unless it can only read.
  const reader = connect(path, { readOnly: true });
  reader.row(readChange, []);
  const sql = sqlOf(catalogue, sqlite);
  const writer = writerThread({ location: path, catalogue });
  const longLists = openLists(listTimeout);
  const watch = fileWatch({ path, main, writer, lists: longLists, logLimit, report });
  const queue = commitQueue(observedCommit(watch.commit, onCommit));
  const lists = listsInFile(main, path, clientShare);
  const imports = fileImports({ location: path, catalogue, write: watch.write });
  const quota = sqliteQuota(`${path}-limits`);
  let isOpen = true;

  return {
    get: (collection, keys) => watch.use(() => main.row<Row>(sql(collection).select, keys)),
    getWithNested: (collection, keys, nested) =>
      watch.use(() => withNested(main.row<Cell[]>(selectWithNested(collection, nested, sqlite), keys))),
    summarize: (...asked) => watch.use(() => lists.summarize(...asked)),
    list: (...asked) =>
      andThen(
        watch.use(() => lists.list(...asked)),
        (listing) => (listing?.long ? longLists.add(listing) : listing),
      ),
    pages: pageReaders(main, READ_VERSION, watch.use),
    write: queue.write,
    importRows: imports.importRows,
    validator: validatorOf(main, catalogue, sql, READ_VERSION, watch.use),
    keys: sqliteKeys(main, watch.use),
    takeQuota: quota.take,
    countRows: (collection) => watch.use(() => lists.countRows(collection)),
    size: () => watch.use(() => ({ bytes: statSync(path).size, logBytes: walSize(path) })),
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
      const read = lists.close();
      await Promise.all([imports.close(), queue.drain()]);
      await writer.close();
      await read;
      quota.close();
      // A file that is not ours any more stays as it is.
      for (const connection of watch.close() ? [reader, main] : [main, reader]) connection.close();
    },
  };
};
