import { setTimeout as sleep } from 'node:timers/promises';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { describeCause } from '../../gateway/port/unavailable.ts';
import { createStore, type Database } from '../sql/store.ts';
import { forgetDeletions, readChange } from '../sql/system-tables.ts';
import { type CommonOptions, DatabaseError, type Store } from '../store.ts';
import { publicAddress } from './connection/addresses.ts';
import { Pool, type PoolOptions } from './connection/pool.ts';
import { ReadinessCheck } from './readiness.ts';
import { Reads } from './reads/reads.ts';
import { prepareDatabase } from './schema/schema.ts';
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

const SELECT_BYTES = 'SELECT pg_database_size(current_database())';

/** Connections that prepare the database, without a time limit: one has the lock, and one works. */
const PATIENT = 2;

/** Connections of imports, and milliseconds that one of their statements may take: the first waits for imports of other instances. */
const IMPORTING = 2;
const IMPORT_PATIENCE = 120_000;

class PostgresDatabase implements Database {
  readonly reads: Reads;
  readonly #quick: Pool;
  readonly #streaming: Pool;
  readonly #importing: Pool;
  readonly #catalogue: Catalogue;
  readonly #readiness: ReadinessCheck;
  readonly #committer: Committer;

  constructor(url: string, catalogue: Catalogue, poolOptions: PoolOptions, options: PostgresOptions) {
    const { size, timeout } = poolOptions;
    const { clientShare = 1, listTimeout, report: warn = () => {} } = options;
    const quick = new Pool(url, poolOptions);
    const streaming = new Pool(url, poolOptions);
    this.#quick = quick;
    this.#streaming = streaming;
    this.#importing = new Pool(url, { ...poolOptions, size: IMPORTING, patience: IMPORT_PATIENCE });
    this.#catalogue = catalogue;
    this.reads = new Reads(catalogue, { quick, streaming, size, timeout, clientShare, listTimeout });
    this.#readiness = new ReadinessCheck(quick, catalogue, warn, publicAddress(url));
    this.#committer = new Committer(quick, catalogue);
  }

  readonly select: Database['select'] = (query) => this.#quick.rows(query);
  /** Runs a statement once: a second `INSERT` of one key would fail. */
  readonly modify: Database['modify'] = (query) => this.#quick.rows(query, { mayRetry: () => false });

  readonly commit: Database['commit'] = async (intents, patience) => {
    try {
      const outcomes = await this.#committer.commit(intents, patience);
      if (outcomes) this.#readiness.onWritten();
      return outcomes;
    } catch (error) {
      this.#readiness.onFailed(error);
      throw error;
    }
  };

  readonly importRows: Database['importRows'] = (...work) => importRows(this.#importing, this.#catalogue, ...work);

  readonly forgetDeletions: Database['forgetDeletions'] = async (before) =>
    void (await this.#quick.rows(forgetDeletions(before)));

  isReady(toWrite: boolean): Promise<boolean> {
    return Promise.race([this.#readiness.isReady(toWrite), sleep(READY, false, { ref: false })]);
  }

  endReads(): void {
    this.reads.endAll();
  }

  async close(): Promise<void> {
    await Promise.all([this.#quick, this.#streaming, this.#importing].map((pool) => pool.end()));
  }
}

/** @throws DatabaseError if it cannot be used, with the reason; its content is left untouched */
export async function openPostgres(url: string, catalogue: Catalogue, options: PostgresOptions = {}): Promise<Store> {
  const { pool: size = 10, timeout = 5_000, prepare, report: warn = () => {}, onCommit } = options;
  const poolOptions = { size, timeout, prepare };
  const patient = new Pool(url, { ...poolOptions, size: PATIENT, patience: 0 });
  try {
    await prepareDatabase(patient, catalogue, warn);
  } catch (error) {
    throw new DatabaseError(`${publicAddress(url)}: ${describeCause(error)}`, { cause: error });
  } finally {
    await patient.end();
  }
  const database = new PostgresDatabase(url, catalogue, poolOptions, options);
  const versions = { selectVersion: readChange, interval: LOOK, selectBytes: SELECT_BYTES };
  const store = createStore(database, { ...versions, giveUp: timeout, onCommit });
  // Reports a database that takes no writes at once, not only with the first write or health check.
  await store.ready(true);
  // A server that does not respond holds up nobody's end.
  return { ...store, close: () => Promise.race([store.close(), sleep(CLOSE, undefined, { ref: false })]) };
}
