/** A database in memory: no other connection can see it, so that all is done on the store's own. */
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { eventsFor } from '../imports/import-rows.ts';
import { forgetDeletions, readChange } from '../sql/system-tables.ts';
import { type Connection, withErrorMapping } from './connection/connection.ts';
import type { Database } from './file.ts';
import { type LongReadsOptions, readsOfMemory } from './reads/long-reads.ts';
import { importRows } from './writes/import-rows.ts';
import { committer } from './writes/writes.ts';

export const inMemory = (main: Connection, catalogue: Catalogue, slow: LongReadsOptions): Database => {
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
