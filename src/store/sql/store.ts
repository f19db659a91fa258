/** Makes a store of a database: writes and imports wait in one queue, and watchers hear of each. */
import type { ImportOutcome } from '../../gateway/model/import.ts';
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import { type Commit, CommitQueue } from '../commit-queue.ts';
import { type ApplyOptions, Imports } from '../imports/import-rows.ts';
import type { ImportWork } from '../imports/import-run.ts';
import type { CommonOptions, Store } from '../store.ts';
import { ChangeWatcher } from '../watch.ts';
import { createApiKeys, createHooks, type RunStatement } from './clients.ts';
import { quote, statement } from './statement.ts';

export interface Database {
  readonly reads: Pick<Store, 'plan' | 'read' | 'summarize'>;
  readonly select: RunStatement;
  /** Runs a statement that writes beside the queue: a key or a hook. */
  readonly modify: RunStatement;
  readonly commit: Commit;
  /** @returns `undefined` if another process holds the lock */
  readonly importRows: (work: ImportWork, options: ApplyOptions) => Promise<ImportOutcome | undefined>;
  readonly forgetDeletions: Store['forgetDeletions'];
  readonly walBytes?: () => number;
  readonly isReady: (toWrite: boolean) => Promise<boolean>;
  /** Ends what is being read; what is being written goes on. */
  readonly endReads?: () => MaybePromise<void>;
  readonly close: () => Promise<void>;
}

interface StoreOptions extends Pick<CommonOptions, 'onCommit'> {
  /** SQL of a number that differs after every commit of another process, and milliseconds between two looks at it. */
  readonly selectVersion: string;
  readonly interval: number;
  readonly selectBytes: string;
  /** Milliseconds after which a write that has not begun is refused. */
  readonly giveUp?: number;
}

export function createStore(
  database: Database,
  { selectVersion, interval, selectBytes, onCommit, ...options }: StoreOptions,
): Store {
  const readNumber = (sql: string): MaybePromise<number> =>
    andThen(database.select<[number]>(statement(sql)), ([row]) => row?.[0] ?? 0);
  const { watch, emit } = new ChangeWatcher(() => readNumber(selectVersion), interval);
  const queue = new CommitQueue(database.commit, {
    ...options,
    onCommit: (...commit) => {
      onCommit?.(...commit);
      emit();
    },
  });
  const imports = new Imports((...work) => queue.runBetween(() => database.importRows(...work)).finally(emit));
  const { plan, read, summarize } = database.reads;
  let isOpen = true;
  return {
    plan,
    read,
    summarize,
    write: queue.write,
    importRows: imports.importRows,
    watch,
    apiKeys: createApiKeys(database.select, database.modify),
    hooks: createHooks(database.select, database.modify),
    forgetDeletions: database.forgetDeletions,
    countRows: ({ name }) => readNumber(`SELECT count(*) FROM ${quote(name)}`),
    size: () => andThen(readNumber(selectBytes), (bytes) => ({ bytes, walBytes: database.walBytes?.() })),
    ready: async (toWrite = false) => isOpen && database.isReady(toWrite).catch(() => false),
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await Promise.all([database.endReads?.(), imports.close(), queue.drain()]);
      await database.close();
    },
  };
}
