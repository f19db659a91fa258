import { setTimeout as sleep } from 'node:timers/promises';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { describeCause } from '../../gateway/port/unavailable.ts';
import { type Commit, CommitQueue } from '../commit-queue.ts';
import { Imports } from '../imports/import-rows.ts';
import { createApiKeys, createHooks, type RunStatement } from '../sql/clients.ts';
import { type ListPlan, planRead, type SqlPlan } from '../sql/lists.ts';
import { postgres, quote, statement } from '../sql/statement.ts';
import { forgetDeletions, readChange } from '../sql/system-tables.ts';
import { type CommonOptions, DatabaseError, type Store } from '../store.ts';
import { ChangeWatcher } from '../watch.ts';
import { publicAddress } from './connection/addresses.ts';
import { Pool, type PoolOptions } from './connection/pool.ts';
import { ReadinessCheck } from './readiness.ts';
import { Reads } from './reads/reads.ts';
import { prepareDatabase } from './schema/schema.ts';
import { postgresSearch } from './schema/search.ts';
import { Committer, importRows } from './writes/writes.ts';

export interface PostgresOptions extends CommonOptions {
  /** The most connections; long lists have as many again. */
  readonly pool?: number | undefined;
  /** Milliseconds to wait for a connection, and for each statement. */
  readonly timeout?: number | undefined;
  /** Whether statements are prepared; `off` is for a pooler in transaction mode, which gives the connection to others after each transaction. */
  readonly prepare?: 'on' | 'off' | undefined;
}

/** Milliseconds that a readiness check and closing may take. */
const READY = 1_000;
const CLOSE = 1_500;

/** Milliseconds between two looks at whether other instances have written, while anybody waits for it. */
const LOOK = 200;

/** Connections that prepare the database, without a time limit: one has the lock, and one works. */
const PATIENT = 2;

/** Connections of imports, and milliseconds that one of their statements may take: the first waits for imports of other instances. */
const IMPORTING = 2;
const IMPORT_PATIENCE = 120_000;

class PostgresStore implements Store {
  readonly watch: Store['watch'];
  readonly apiKeys: Store['apiKeys'];
  readonly hooks: Store['hooks'];
  readonly #quick: Pool;
  readonly #pools: readonly Pool[];
  readonly #reads: Reads;
  readonly #readiness: ReadinessCheck;
  readonly #committer: Committer;
  readonly #queue: CommitQueue;
  readonly #imports: Imports;
  #isOpen = true;

  constructor(url: string, catalogue: Catalogue, poolOptions: PoolOptions, options: PostgresOptions) {
    const { size, timeout } = poolOptions;
    const { clientShare = 1, listTimeout, report = () => {} } = options;
    const quick = new Pool(url, poolOptions);
    const streaming = new Pool(url, poolOptions);
    const importing = new Pool(url, { ...poolOptions, size: IMPORTING, patience: IMPORT_PATIENCE });
    const { watch, emit } = new ChangeWatcher(() => this.#readNumber(readChange), LOOK);
    this.#quick = quick;
    this.#pools = [quick, streaming, importing];
    this.#reads = new Reads(catalogue, { quick, streaming, size, timeout, clientShare, listTimeout });
    this.#readiness = new ReadinessCheck(quick, catalogue, report, publicAddress(url));
    this.#committer = new Committer(quick, catalogue);
    this.#queue = new CommitQueue(this.#commit, {
      giveUp: timeout,
      onCommit: (...committed) => {
        options.onCommit?.(...committed);
        emit();
      },
    });
    this.#imports = new Imports((...work) =>
      this.#queue.between(() => importRows(importing, catalogue, ...work)).finally(emit),
    );
    this.watch = watch;
    const read: RunStatement = (query) => quick.rows(query);
    // Runs a change once: a second `INSERT` of one key would fail.
    const write: RunStatement = (change) => quick.rows(change, { mayRetry: () => false });
    this.apiKeys = createApiKeys(read, write);
    this.hooks = createHooks(read, write);
  }

  readonly plan: Store['plan'] = (request) => planRead(request, { dialect: postgres, searchIn: postgresSearch });
  readonly read: Store['read'] = (plan, caller) => this.#reads.read(plan as SqlPlan, caller?.());
  readonly summarize: Store['summarize'] = (plan, caller) => this.#reads.summarize(plan as ListPlan, caller?.());
  readonly write: Store['write'] = (intent) => this.#queue.write(intent);
  readonly importRows: Store['importRows'] = (...work) => this.#imports.importRows(...work);
  readonly countRows: Store['countRows'] = ({ name }) => this.#readNumber(`SELECT count(*) FROM ${quote(name)}`);

  readonly forgetDeletions: Store['forgetDeletions'] = async (before) =>
    void (await this.#quick.rows(forgetDeletions(before)));

  readonly size: Store['size'] = async () => ({
    bytes: await this.#readNumber('SELECT pg_database_size(current_database())'),
  });

  readonly ready: Store['ready'] = async (toWrite = false) =>
    this.#isOpen && Promise.race([this.#readiness.isReady(toWrite), sleep(READY, false, { ref: false })]);

  readonly close = async (): Promise<void> => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#reads.endAll();
    const ended = Promise.all([this.#imports.close(), this.#queue.drain()]);
    const closed = ended.then(() => Promise.all(this.#pools.map((pool) => pool.end())));
    await Promise.race([closed, sleep(CLOSE, undefined, { ref: false })]);
  };

  readonly #commit: Commit = async (intents, patience) => {
    try {
      const outcomes = await this.#committer.commit(intents, patience);
      if (outcomes) this.#readiness.onWritten();
      return outcomes;
    } catch (error) {
      this.#readiness.onFailed(error);
      throw error;
    }
  };

  async #readNumber(sql: string): Promise<number> {
    return (await this.#quick.rows<[number]>(statement(sql)))[0]?.[0] ?? 0;
  }
}

/** @throws DatabaseError if it cannot be used, with the reason; its content is left untouched */
export async function openPostgres(url: string, catalogue: Catalogue, options: PostgresOptions = {}): Promise<Store> {
  const { pool: size = 10, timeout = 5_000, prepare, report = () => {} } = options;
  const poolOptions = { size, timeout, prepare };
  const patient = new Pool(url, { ...poolOptions, size: PATIENT, patience: 0 });
  try {
    await prepareDatabase(patient, catalogue, report);
  } catch (error) {
    throw new DatabaseError(`${publicAddress(url)}: ${describeCause(error)}`, { cause: error });
  } finally {
    await patient.end();
  }
  const store = new PostgresStore(url, catalogue, poolOptions, options);
  // Reports a database that takes no writes at once, not only with the first write or health check.
  await store.ready(true);
  return store;
}
