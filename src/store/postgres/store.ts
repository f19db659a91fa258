import { setTimeout as sleep } from 'node:timers/promises';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { describeCause } from '../../gateway/port/unavailable.ts';
import { type Commit, CommitQueue } from '../commit-queue.ts';
import { Imports } from '../imports/import-rows.ts';
import { openApiKeys, openHooks, type RunStatement } from '../sql/clients.ts';
import { type ListPlan, planRead, type SqlPlan } from '../sql/lists.ts';
import type { OtherCollections } from '../sql/schema.ts';
import { postgres, quote, statement } from '../sql/statement.ts';
import { forgetDeletions, readChange } from '../sql/system-tables.ts';
import { type CommonOptions, DatabaseError, type Store } from '../store.ts';
import { ChangeWatcher } from '../watch.ts';
import { publicAddress } from './connection/addresses.ts';
import { Pool, type Prepare } from './connection/pool.ts';
import { ReadinessCheck } from './readiness.ts';
import { Reads } from './reads/reads.ts';
import { prepareDatabase } from './schema/schema.ts';
import { postgresSearch } from './schema/search.ts';
import { Committer, importRows } from './writes/writes.ts';

export interface PostgresOptions extends CommonOptions {
  readonly others?: OtherCollections | undefined;
  /** The most connections; long lists have as many again. */
  readonly pool?: number | undefined;
  /** Milliseconds to wait for a connection, and for each statement. */
  readonly timeout?: number | undefined;
  readonly prepare?: Prepare | undefined;
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

/** @throws DatabaseError if it cannot be used, with the reason; its content is left untouched */
export async function openPostgres(url: string, catalogue: Catalogue, options: PostgresOptions = {}): Promise<Store> {
  const { pool: size = 10, timeout = 5_000, prepare, report = () => {}, clientShare = 1, listTimeout } = options;
  const poolOptions = { size, timeout, prepare };
  const patient = new Pool(url, { ...poolOptions, size: PATIENT, patience: 0 });
  try {
    await prepareDatabase(patient, catalogue, report, options.others);
  } catch (error) {
    throw new DatabaseError(`${publicAddress(url)}: ${describeCause(error)}`, { cause: error });
  } finally {
    await patient.end();
  }
  const quick = new Pool(url, poolOptions);
  const streaming = new Pool(url, poolOptions);
  const importing = new Pool(url, { ...poolOptions, size: IMPORTING, patience: IMPORT_PATIENCE });
  const pools = [quick, streaming, importing];
  const reads = new Reads(catalogue, { quick, streaming, size, timeout, clientShare, listTimeout });
  const readiness = new ReadinessCheck(quick, catalogue, report, publicAddress(url));
  // Otherwise nobody would be told before the first write, or the first question of a balancer.
  await readiness.isReady(true);
  const committer = new Committer(quick, catalogue);
  const commit: Commit = async (intents, patience) => {
    try {
      const outcomes = await committer.commit(intents, patience);
      if (outcomes) readiness.onWritten();
      return outcomes;
    } catch (error) {
      readiness.onFailed(error);
      throw error;
    }
  };
  const readNumber = async (sql: string): Promise<number> => (await quick.rows<[number]>(statement(sql)))[0]?.[0] ?? 0;
  const { watch, emit } = new ChangeWatcher(() => readNumber(readChange), LOOK);
  const onCommit: typeof options.onCommit = (...committed) => {
    options.onCommit?.(...committed);
    emit();
  };
  const queue = new CommitQueue(commit, { giveUp: timeout, onCommit });
  const imports = new Imports((...work) =>
    queue.between(() => importRows(importing, catalogue, ...work)).finally(emit),
  );
  const readOwn: RunStatement = (query) => quick.rows(query);
  // Never tried again: a second `INSERT` of one key would fail.
  const writeOwn: RunStatement = (change) => quick.rows(change, { mayRetry: () => false });
  let isOpen = true;

  const close = async (): Promise<void> => {
    reads.endAll();
    await Promise.all([imports.close(), queue.drain()]);
    await Promise.all(pools.map((each) => each.end()));
  };
  return {
    plan: (request) => planRead(request, { dialect: postgres, searchIn: postgresSearch }),
    read: (plan, caller) => reads.read(plan as SqlPlan, caller?.()),
    summarize: (plan, caller) => reads.summarize(plan as ListPlan, caller?.()),
    write: (intent) => queue.write(intent),
    importRows: imports.importRows,
    watch,
    apiKeys: openApiKeys(readOwn, writeOwn),
    hooks: openHooks(readOwn, writeOwn),
    forgetDeletions: async (before) => void (await quick.rows(forgetDeletions(before))),
    countRows: ({ name }) => readNumber(`SELECT count(*) FROM ${quote(name)}`),
    size: async () => ({ bytes: await readNumber('SELECT pg_database_size(current_database())') }),
    ready: async (toWrite = false) =>
      isOpen && Promise.race([readiness.isReady(toWrite), sleep(READY, false, { ref: false })]),
    changeUrl: async (changed) => {
      const trial = new Pool(changed, { ...poolOptions, size: 1 });
      await trial.use((connection) => connection.exec('SELECT 1')).finally(() => trial.end());
      for (const each of pools) each.changeUrl(changed);
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await Promise.race([close(), sleep(CLOSE, undefined, { ref: false })]);
    },
  };
}
