import { realpathSync } from 'node:fs';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../gateway/model/import.ts';
import type { Intent, Outcome } from '../../gateway/port/port.ts';
import { OutcomeUnknown } from '../../gateway/port/unavailable.ts';
import { CommitQueue } from '../commit-queue.ts';
import { type ApplyOptions, Imports } from '../imports/import-rows.ts';
import type { ImportWork } from '../imports/import-run.ts';
import { openApiKeys, openHooks, type RunStatement } from '../sql/clients.ts';
import { quote, statement } from '../sql/statement.ts';
import { forgetDeletions, hasForgettable, readChange } from '../sql/system-tables.ts';
import type { CommonOptions, Store } from '../store.ts';
import { ChangeWatcher } from '../watch.ts';
import { type Connection, connect, mapErrors, READ_VERSION } from './connection.ts';
import { FileWrites, walSize } from './file-writes.ts';
import { LongReads } from './long-reads.ts';
import { Reads } from './reads.ts';
import { MEMORY, type OpenOptions, openDatabase } from './schema.ts';
import { Thread, ThreadEnded } from './thread.ts';
import type { Work, WriterServices } from './writer-worker.ts';
import { Committer, importRows, takeChange } from './writes.ts';

/** Milliseconds between two looks at whether others have written. */
const LOOK = 100;
const MOST_WAL = 268_435_456;
/** MiB of new objects of the thread that writes, nearly all of which are garbage soon. */
const YOUNG = 8;
const CACHE = 16_384;

export interface SqliteOptions extends CommonOptions, OpenOptions {
  /** Bytes of the write-ahead log at which the lists that keep it from shrinking are broken off, 268,435,456. */
  readonly walLimit?: number | undefined;
  /** Bytes of the cache of items, 0; a database in memory has none. */
  readonly cacheBytes?: number | undefined;
}

interface DatabaseOptions extends SqliteOptions {
  readonly main: Connection;
  readonly location: string;
  readonly catalogue: Catalogue;
}

type Database = Omit<FileDatabase, 'long'> & Partial<Pick<FileDatabase, 'long'>>;

/** A thread that ends while it writes may have written, or not. */
function throwUnknown(error: unknown): never {
  throw error instanceof ThreadEnded ? new OutcomeUnknown({ cause: error.cause }) : error;
}

class FileDatabase {
  readonly reader: Connection;
  readonly long: LongReads;
  readonly #main: Connection;
  readonly #path: string;
  readonly #writer: Thread<WriterServices>;
  readonly #writes: FileWrites;
  #importing: ApplyOptions | undefined;

  constructor({ main, location, catalogue, ...options }: DatabaseOptions) {
    const { clientShare = 1, listTimeout, walLimit = MOST_WAL, report = () => {} } = options;
    const path = realpathSync(location);
    this.#main = main;
    this.#path = path;
    // The last connection to close folds the log into the file, unless it can only read.
    this.reader = connect(path, { readOnly: true });
    this.reader.exec(`PRAGMA cache_size = -${CACHE}`);
    this.reader.row(readChange);
    this.long = new LongReads(path, clientShare, listTimeout);
    const thread = {
      workerData: { location: path, catalogue } satisfies Work,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
    };
    const onProgress = (rows: number): void => this.#importing?.onProgress(rows);
    this.#writer = new Thread(new URL('./writer-worker.ts', import.meta.url), thread, onProgress);
    this.#writes = new FileWrites({
      path,
      fold: () => this.#writer.ask('fold', []),
      tryWriting: () => this.#writer.ask('tryWriting', []),
      lists: this.long,
      walLimit,
      report,
    });
  }

  commit(intents: readonly Intent[]): Promise<readonly Outcome[] | undefined> {
    return this.#writes.write(() => this.#writer.ask('commit', [intents]).catch(throwUnknown));
  }

  async importRows(work: ImportWork, options: ApplyOptions): Promise<ImportOutcome | undefined> {
    const { signal } = options;
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    const stop = (): void => void Atomics.store(stopped, 0, 1);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    this.#importing = options;
    const ask = () => this.#writer.ask('importRows', [work, stopped]).catch(throwUnknown);
    try {
      return await this.#writes.write(ask, signal);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async forgetDeletions(before: number): Promise<void> {
    // The thread that writes is started only if there is anything to do.
    const isNeeded = mapErrors(() => this.#main.rows(hasForgettable(before))).length > 0;
    if (isNeeded) await this.#writes.write(() => this.#writer.ask('forget', [before]));
  }

  walBytes(): number | undefined {
    return walSize(this.#path);
  }

  async isReady(toWrite: boolean): Promise<boolean> {
    return this.#main.row(readChange) !== undefined && (!toWrite || (await this.#writes.takesWrites()));
  }

  async close(): Promise<void> {
    await this.#writer.close();
    // The log beside a file that is not ours stays as it is: the last one to close would take it away, unless it can only read.
    const connections = [this.reader, this.#main];
    for (const connection of this.#writes.isThere(0) ? connections : connections.reverse()) connection.close();
  }
}

/** A database in memory: no other connection can see it, so that all is done on the store's own, and blocks the event loop. */
function openMemory({ main, catalogue }: DatabaseOptions): Database {
  const { commit } = new Committer(main, catalogue);
  return {
    reader: main,
    commit: async (intents) => mapErrors(() => commit(intents)),
    importRows: async (work, { onProgress }) => mapErrors(() => importRows(main, catalogue, work, onProgress)),
    forgetDeletions: async (before) => void main.rows(forgetDeletions(before)),
    walBytes: () => undefined,
    isReady: async () => true,
    close: async () => main.close(),
  };
}

/** Opens the embedded database, creating what is missing. @throws DatabaseError if it cannot be used; it is left untouched then */
export async function openSqlite(location: string, catalogue: Catalogue, options: SqliteOptions = {}): Promise<Store> {
  const { cacheBytes = 0, onCommit } = options;
  const isInMemory = location === MEMORY;
  const main = openDatabase(location, catalogue, options);
  const databaseOptions = { ...options, main, location, catalogue };
  const database = isInMemory ? openMemory(databaseOptions) : new FileDatabase(databaseOptions);
  const { reader, long } = database;
  // In memory the reader is who writes, so that it cannot see what has changed.
  const reads = new Reads({ reader, catalogue, long, cacheBytes: isInMemory ? 0 : cacheBytes });
  // The watcher has the first connection, which reads nothing else.
  const { watch, emit } = new ChangeWatcher(() => mapErrors(() => main.number(statement(READ_VERSION))), LOOK);
  const queue = new CommitQueue((intents) => database.commit(intents), {
    onCommit: (...commit) => {
      onCommit?.(...commit);
      emit();
    },
  });
  const imports = new Imports((...work) => queue.between(() => database.importRows(...work)).finally(emit));
  const readOwn: RunStatement = (query) => mapErrors(() => main.rows(query));
  /** Waits for the lock, beside the commit queue of a service; the rows in memory stay current. */
  const writeOwn: RunStatement = (change) =>
    mapErrors(() =>
      main.waitingForLock(() =>
        main.inTransaction(() => {
          takeChange(main);
          return main.rows(change);
        }),
      ),
    );
  let isOpen = true;
  return {
    read: reads.read,
    summarize: (plan, caller) => reads.summarize(plan, caller),
    plan: reads.plan,
    countRows: ({ name }) => mapErrors(() => reader.number(statement(`SELECT count(*) FROM ${quote(name)}`))),
    write: (intent) => queue.write(intent),
    importRows: imports.importRows,
    watch,
    apiKeys: openApiKeys(readOwn, writeOwn),
    hooks: openHooks(readOwn, writeOwn),
    forgetDeletions: (before) => database.forgetDeletions(before),
    size: () => {
      const bytes = mapErrors(() => main.pragma('page_count') * main.pragma('page_size'));
      return { bytes, walBytes: database.walBytes() };
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
      await Promise.all([long?.close(), imports.close(), queue.drain()]);
      await database.close();
    },
  };
}
