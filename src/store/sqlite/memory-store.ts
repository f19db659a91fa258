import type { Catalogue } from '../../model/catalogue.ts';
import type { Cell } from '../../model/field.ts';
import { type Commit, commitQueue } from '../commit-queue.ts';
import { observedCommit } from '../observed-commit.ts';
import type { Row, Store } from '../port.ts';
import type { ReadLimits } from '../slots.ts';
import { sqlite } from '../sql/dialects.ts';
import { selectWithNested, sqlOf, withNested } from '../sql/items.ts';
import { readChange } from '../sql/system-tables.ts';
import { type Connection, toUnavailable, withErrorMapping } from './connection/connection.ts';
import type { SqliteOptions } from './connection/options.ts';
import { memoryImports } from './imports/memory-imports.ts';
import { sqliteKeys } from './keys.ts';
import { sqliteQuota } from './quota.ts';
import { listsInMemory } from './reads/lists.ts';
import { pageReaders } from './reads/pages.ts';
import { validatorOf } from './reads/validator.ts';
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
export const memoryStore = (
  main: Connection,
  catalogue: Catalogue,
  { clientShare = 1, onCommit }: SqliteOptions & ReadLimits,
): Store => {
  const sql = sqlOf(catalogue, sqlite);
  const queue = commitQueue(observedCommit(committing(main, catalogue), onCommit));
  const lists = listsInMemory(main, clientShare);
  let isOpen = true;

  return {
    get: (collection, keys) => withErrorMapping(() => main.row<Row>(sql(collection).select, keys)),
    getWithNested: (collection, keys, nested) =>
      withErrorMapping(() => withNested(main.row<Cell[]>(selectWithNested(collection, nested, sqlite), keys))),
    summarize: (...asked) => withErrorMapping(() => lists.summarize(...asked)),
    list: (...asked) => withErrorMapping(() => lists.list(...asked)),
    write: queue.write,
    importRows: memoryImports(main, catalogue),
    pages: pageReaders(main, readChange, withErrorMapping),
    validator: validatorOf(main, catalogue, sql, readChange, withErrorMapping),
    keys: sqliteKeys(main, withErrorMapping),
    takeQuota: sqliteQuota(':memory:').take,
    countRows: (collection) => withErrorMapping(() => lists.countRows(collection)),
    size: () => ({ bytes: main.row<[number]>(SIZE, [])?.[0] ?? 0 }),
    ready: () => isOpen,
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      const read = lists.close();
      await queue.drain();
      await read;
      main.close();
    },
  };
};
