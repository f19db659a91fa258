import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { type Commit, commitQueue } from '../commit-queue.ts';
import { observedCommit } from '../observed-commit.ts';
import type { ReadOptions } from '../read-options.ts';
import { sqlite } from '../sql/dialects.ts';
import { sqlOf } from '../sql/items.ts';
import { readChange } from '../sql/system-tables.ts';
import type { Store } from '../store.ts';
import { sqliteApiKeys } from './api-keys.ts';
import { type Connection, toUnavailable, withErrorMapping } from './connection/connection.ts';
import { SQLITE_LIMITS, type SqliteOptions } from './connection/options.ts';
import { memoryImports } from './imports/memory-imports.ts';
import { sqliteQuota } from './quota.ts';
import { readsOfMemory } from './reads/long-reads.ts';
import { readsOf } from './reads/reads.ts';
import { committer } from './writes/writes.ts';

/** On the store's own connection, as no other can see its database. */
const committing = (main: Connection, catalogue: Catalogue): Commit => {
  const commit = committer(main, catalogue);
  return async (intents) =>
    withErrorMapping(() => commit(intents))?.map((each) =>
      each.kind === 'failed' ? { kind: each.kind, error: toUnavailable(each.error) } : each,
    );
};

const SIZE = 'SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()';

/** @param main the only connection to a database in memory */
export const memoryStore = (main: Connection, catalogue: Catalogue, options: SqliteOptions & ReadOptions): Store => {
  const sql = sqlOf(catalogue, sqlite);
  const queue = commitQueue(observedCommit(committing(main, catalogue), options.onCommit));
  const { limits = SQLITE_LIMITS, clientShare: share = 1, listTimeout: timeout } = options;
  const long = readsOfMemory(main, { limits, share, timeout });
  const reads = readsOf({ main, catalogue, sql, version: readChange, long }, options);
  let isOpen = true;

  return {
    ...reads,
    plan: (request) => withErrorMapping(() => reads.plan(request)),
    read: (...asked) => withErrorMapping(() => reads.read(...asked)),
    summarize: (...asked) => withErrorMapping(() => reads.summarize(...asked)),
    countRows: (collection) => withErrorMapping(() => reads.countRows(collection)),
    write: queue.write,
    importRows: memoryImports(main, catalogue),
    apiKeys: sqliteApiKeys(main, withErrorMapping),
    takeQuota: sqliteQuota(':memory:').take,
    size: () => ({ bytes: main.row<[number]>(SIZE, [])?.[0] ?? 0 }),
    ready: () => isOpen,
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await long.close();
      await queue.drain();
      main.close();
    },
  };
};
