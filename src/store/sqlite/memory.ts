/** A database in memory: no other connection can see it, so that all is done on the store's own. */
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { idempotencyOf, listChanges, requestOf, stage } from '../imports/stage.ts';
import { forgetDeletions, readChange } from '../sql/system-tables.ts';
import type { Store } from '../store.ts';
import { type Connection, withErrorMapping } from './connection/connection.ts';
import type { Database } from './file.ts';
import { sqliteImport } from './imports/imports.ts';
import { type LongReadsOptions, readsOfMemory } from './reads/long-reads.ts';
import { begin, committer } from './writes/writes.ts';

/** Blocks the event loop while the rows are applied: there is only one connection. */
const memoryImports = (main: Connection, catalogue: Catalogue): Store['importRows'] => {
  let count = 0;
  return async (collection, rows, options) => {
    const { onRejected, onProgress } = options;
    const { add, apply, nextChanges, close } = sqliteImport(main, catalogue, `import_${++count}`, {
      request: requestOf(collection, options),
      onRejected: ({ row, error }) => onRejected(row, error),
      onDone: (done) => onProgress?.('applying', done),
    });
    try {
      await stage(collection, rows, options, add);
      const outcome = withErrorMapping(() => apply(idempotencyOf(options), () => begin(main)));
      await listChanges(outcome, options, nextChanges);
      return outcome;
    } finally {
      close();
    }
  };
};

export const inMemory = (main: Connection, catalogue: Catalogue, slow: LongReadsOptions): Database => {
  const commit = committer(main, catalogue);
  return {
    reader: main,
    commit: async (intents) => withErrorMapping(() => commit(intents)),
    forget: async (before) => void main.rows(forgetDeletions(before)),
    importRows: memoryImports(main, catalogue),
    long: readsOfMemory(main, slow),
    version: readChange,
    walBytes: () => undefined,
    isReady: async () => true,
    endImports: async () => {},
    close: async () => main.close(),
  };
};
