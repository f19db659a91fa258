import { realpathSync } from 'node:fs';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../gateway/model/import.ts';
import type { Intent, Outcome } from '../../gateway/port/port.ts';
import { OutcomeUnknown } from '../../gateway/port/unavailable.ts';
import { CommitQueue } from '../commit-queue.ts';
import { type ApplyOptions, Imports } from '../imports/import-rows.ts';
import type { ImportWork } from '../imports/import-run.ts';
import { createApiKeys, createHooks, type RunStatement } from '../sql/clients.ts';
import { quote, statement } from '../sql/statement.ts';
import { forgetDeletions, hasForgettable, readChange } from '../sql/system-tables.ts';
import type { CommonOptions, Store } from '../store.ts';
import { ChangeWatcher } from '../watch.ts';
import { type Connection, connect, mapErrors, READ_VERSION } from './connection.ts';
import { FileWrites, walSize } from './file-writes.ts';
import { LongReads } from './long-reads.ts';
import { Reads } from './reads.ts';
import { MEMORY, openDatabase } from './schema.ts';
import { Thread, ThreadEnded } from './thread.ts';
import type { Work, WriterServices } from './writer-worker.ts';
import { Committer, importRows, takeChange } from './writes.ts';

/** Milliseconds between two looks at whether others have written. */
const LOOK = 100;
const MOST_WAL = 268_435_456;
/** MiB of new objects of the thread that writes, nearly all of which are garbage soon. */
const YOUNG = 8;
const CACHE = 16_384;

export interface SqliteOptions extends CommonOptions {
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

/** The part of a store that differs between a file and memory. */
interface Database {
  readonly reader: Connection;
  /** Reads what takes long, on threads; nothing else can read a database in memory. */
  readonly long?: LongReads;
  commit(intents: readonly Intent[]): Promise<readonly Outcome[] | undefined>;
  importRows(work: ImportWork, options: ApplyOptions): Promise<ImportOutcome | undefined>;
  forgetDeletions(before: number): Promise<void>;
  walBytes(): number | undefined;
  isReady(toWrite: boolean): Promise<boolean>;
  close(): Promise<void>;
}

/** A thread that ends while it writes may have written, or not. */
function throwUnknown(error: unknown): never {
  throw error instanceof ThreadEnded ? new OutcomeUnknown({ cause: error.cause }) : error;
}

class FileDatabase implements Database {
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
    // It has nothing to do any more but to fold the log, which the last connection does.
    await this.#writer.terminate();
    // The log beside a file that is not ours stays as it is: the last one to close would take it away, unless it can only read.
    const connections = [this.reader, this.#main];
    for (const connection of this.#writes.isThere(0) ? connections : connections.reverse()) connection.close();
  }
}

/** A database in memory: no other connection can see it, so that all is done on the store's own, and blocks the event loop. */
class MemoryDatabase implements Database {
  readonly reader: Connection;
  readonly #catalogue: Catalogue;
  readonly #committer: Committer;

  constructor({ main, catalogue }: DatabaseOptions) {
    this.reader = main;
    this.#catalogue = catalogue;
    this.#committer = new Committer(main, catalogue);
  }

  async commit(intents: readonly Intent[]): Promise<readonly Outcome[] | undefined> {
    return mapErrors(() => this.#committer.commit(intents));
  }

  async importRows(work: ImportWork, { onProgress }: ApplyOptions): Promise<ImportOutcome | undefined> {
    return mapErrors(() => importRows(this.reader, this.#catalogue, work, onProgress));
  }

  async forgetDeletions(before: number): Promise<void> {
    this.reader.rows(forgetDeletions(before));
  }

  walBytes(): undefined {}

  async isReady(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    this.reader.close();
  }
}

class SqliteStore implements Store {
  readonly plan: Store['plan'];
  readonly read: Store['read'];
  readonly watch: Store['watch'];
  readonly apiKeys: Store['apiKeys'];
  readonly hooks: Store['hooks'];
  readonly #main: Connection;
  readonly #database: Database;
  readonly #reads: Reads;
  readonly #queue: CommitQueue;
  readonly #imports: Imports;
  #isOpen = true;

  constructor(main: Connection, database: Database, catalogue: Catalogue, options: SqliteOptions) {
    const { reader, long } = database;
    // In memory the reader is who writes, so that it cannot see what has changed.
    const cacheBytes = reader === main ? 0 : (options.cacheBytes ?? 0);
    // The watcher has the first connection, which reads nothing else.
    const { watch, emit } = new ChangeWatcher(() => mapErrors(() => main.number(statement(READ_VERSION))), LOOK);
    this.#main = main;
    this.#database = database;
    this.#reads = new Reads({ reader, catalogue, long, cacheBytes });
    this.#queue = new CommitQueue((intents) => database.commit(intents), {
      onCommit: (...commit) => {
        options.onCommit?.(...commit);
        emit();
      },
    });
    this.#imports = new Imports((...work) => this.#queue.between(() => database.importRows(...work)).finally(emit));
    this.plan = this.#reads.plan;
    this.read = this.#reads.read;
    this.watch = watch;
    this.apiKeys = createApiKeys(this.#readOwn, this.#writeOwn);
    this.hooks = createHooks(this.#readOwn, this.#writeOwn);
  }

  readonly importRows: Store['importRows'] = (...work) => this.#imports.importRows(...work);
  readonly summarize: Store['summarize'] = (plan, caller) => this.#reads.summarize(plan, caller);
  readonly write: Store['write'] = (intent) => this.#queue.write(intent);
  readonly forgetDeletions: Store['forgetDeletions'] = (before) => this.#database.forgetDeletions(before);

  readonly countRows: Store['countRows'] = ({ name }) =>
    mapErrors(() => this.#database.reader.number(statement(`SELECT count(*) FROM ${quote(name)}`)));

  readonly size: Store['size'] = () => {
    const bytes = mapErrors(() => this.#main.pragma('page_count') * this.#main.pragma('page_size'));
    return { bytes, walBytes: this.#database.walBytes() };
  };

  readonly ready: Store['ready'] = async (toWrite = false) => {
    try {
      return this.#isOpen && (await this.#database.isReady(toWrite));
    } catch {
      return false;
    }
  };

  readonly close: Store['close'] = async () => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await Promise.all([this.#database.long?.close(), this.#imports.close(), this.#queue.drain()]);
    await this.#database.close();
  };

  readonly #readOwn: RunStatement = (query) => mapErrors(() => this.#main.rows(query));

  /** Waits for the lock, beside the commit queue of a service; the rows in memory stay current. */
  readonly #writeOwn: RunStatement = (change) =>
    mapErrors(() =>
      this.#main.waitingForLock(() =>
        this.#main.inTransaction(() => {
          takeChange(this.#main);
          return this.#main.rows(change);
        }),
      ),
    );
}

/** Opens the embedded database, creating what is missing. @throws DatabaseError if it cannot be used; it is left untouched then */
export async function openSqlite(location: string, catalogue: Catalogue, options: SqliteOptions = {}): Promise<Store> {
  const main = openDatabase(location, catalogue, options.report ?? (() => {}));
  const databaseOptions = { ...options, main, location, catalogue };
  const database = location === MEMORY ? new MemoryDatabase(databaseOptions) : new FileDatabase(databaseOptions);
  return new SqliteStore(main, database, catalogue, options);
}
