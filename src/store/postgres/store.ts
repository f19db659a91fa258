import type { Catalogue, Collection } from '../../model/catalogue.ts';
import type { Cell } from '../../model/field.ts';
import { commitQueue } from '../commit-queue.ts';
import { DatabaseError } from '../database-error.ts';
import { IMPORTS_AT_ONCE } from '../imports/queue.ts';
import { observedCommit } from '../observed-commit.ts';
import { openLists } from '../open-lists.ts';
import type { Intent, Store } from '../port.ts';
import type { ReadLimits } from '../slots.ts';
import { postgres } from '../sql/dialects.ts';
import { selectWithNested, withNested } from '../sql/items.ts';
import { isQuickPage } from '../sql/lists/plan.ts';
import { wholePlan } from '../sql/lists/whole.ts';
import { statement } from '../sql/statement.ts';
import type { OtherCollections } from '../sql/system/other-collections.ts';
import { messageOf } from '../unavailable.ts';
import { publicAddress, strengthened } from './connection/addresses.ts';
import { DEFAULT_POOL, DEFAULT_TIMEOUT, type PostgresOptions } from './connection/options.ts';
import { openPool, type Pool, type PoolOptions } from './connection/pool.ts';
import { withTimeout } from './connection/with-timeout.ts';
import { postgresImports } from './imports/imports.ts';
import { postgresKeys } from './keys.ts';
import { postgresQuota } from './quota.ts';
import { readinessOf } from './readiness.ts';
import { itemReader } from './reads/items.ts';
import { readNumbers } from './reads/list-reads.ts';
import { listsOf } from './reads/lists.ts';
import { hasVersions, pageReading } from './reads/pages.ts';
import { type Reads, withReplica } from './reads/replica.ts';
import { checkPrepared } from './schema/check-server.ts';
import { prepareDatabase } from './schema/schema.ts';
import { committer } from './writes/writes.ts';

/** Milliseconds that a readiness check and closing may take. */
const READY = 1_000;
const CLOSE = 1_500;

const countRows = async (pool: Pool, collection: Collection): Promise<number> => {
  const [, total] = await pool.read((reader) => readNumbers(reader, wholePlan(collection, postgres)));
  return total;
};

const SIZE = statement('SELECT pg_database_size(current_database())::text');

/** @throws DatabaseError with the address and the reason */
const setUp = async (
  url: string,
  options: PoolOptions,
  catalogue: Catalogue,
  others: OtherCollections | undefined,
): Promise<{ isVersioned: boolean }> => {
  const pools = [
    openPool(url, { ...options, size: 2, isPatient: true }),
    openPool(url, { ...options, size: 2 }),
  ] as const;
  const [patient, pair] = pools;
  try {
    await prepareDatabase(patient, catalogue, options.report, others);
    if (options.prepare === 'on') await checkPrepared(pair);
    return { isVersioned: await hasVersions(patient) };
  } catch (error) {
    throw new DatabaseError(`${publicAddress(url)}: ${messageOf(error)}`, { cause: error });
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
};

/**
 * Opens a database on a server and creates what is missing. Any number of processes may use it.
 *
 * @param url `postgres://…`
 * @param catalogue what it keeps
 * @throws DatabaseError where it cannot be used, with the reason; its content is left untouched
 */
export const openPostgres = async (
  url: string,
  catalogue: Catalogue,
  options: PostgresOptions & ReadLimits = {},
): Promise<Store> => {
  const {
    pool: size = DEFAULT_POOL,
    timeout = DEFAULT_TIMEOUT,
    readUrl = url,
    prepare,
    report = () => {},
    clientShare = 1,
    onCommit,
  } = options;
  const pool = { size, timeout, prepare, report };
  for (const mode of new Set([url, readUrl].map(strengthened))) {
    if (mode) report(`sslmode=${mode} is taken as verify-full: the database's certificate is checked`);
  }
  const { isVersioned } = await setUp(url, pool, catalogue, options.others);
  const side = (url: string, isReadOnly: boolean) => {
    const own = { ...pool, isReadOnly };
    const [quick, streaming] = [openPool(url, own), openPool(url, own)];
    const lists = listsOf({ quick, streaming, size, timeout, share: clientShare });
    const reads: Reads = { get: itemReader(quick, catalogue, timeout), ...lists };
    return { pool: quick, reads, end: () => Promise.all([quick.end(), streaming.end()]) };
  };
  const main = side(url, false);
  const copy = readUrl === url ? undefined : side(readUrl, true);
  const copied = copy && withReplica(main.reads, copy.reads, copy.pool, catalogue, report);
  const reads = copied ?? main.reads;
  const importing = openPool(url, { ...pool, size: IMPORTS_AT_ONCE, isPatient: true });
  const longLists = openLists(options.listTimeout);
  const commit = committer(main.pool, catalogue);
  const readiness = readinessOf(main.pool, publicAddress(url), catalogue, report);
  // Otherwise nobody would be told before the first write, or the first question of a balancer.
  await readiness.check(true);
  const commitAndLook = async (intents: readonly Intent[]) => {
    const settled = await commit(intents);
    readiness.saw(settled);
    return settled;
  };
  const queue = commitQueue(observedCommit(commitAndLook, onCommit));
  const pages: Store['pages'] = (collection, format, capacity) => {
    const reading = pageReading(collection, format, capacity);
    return (_parents, query, caller) =>
      isQuickPage(collection, query) ? reads.page(reading, collection, query, caller) : undefined;
  };
  let isOpen = true;

  const close = async (): Promise<void> => {
    longLists.endAll('the database is closed');
    await queue.drain();
    copied?.close();
    await Promise.all([main.end(), copy?.end(), importing.end()]);
  };
  return {
    get: reads.get,
    getWithNested: async (collection, keys, nested) => {
      const sql = selectWithNested(collection, nested, postgres);
      const [row] = await main.pool.read((reader) => reader.rows<Cell[]>(statement(sql, keys)));
      return withNested(row);
    },
    summarize: reads.summarize,
    list: async (...asked) => {
      const listing = await reads.list(...asked);
      return listing?.long ? longLists.add(listing) : listing;
    },
    ...(isVersioned ? { pages } : {}),
    write: queue.write,
    importRows: postgresImports(importing, catalogue),
    keys: postgresKeys(main.pool),
    takeQuota: postgresQuota(main.pool),
    countRows: (collection) => countRows(main.pool, collection),
    size: async () => {
      const [[bytes] = ['0']] = await main.pool.read((reader) => reader.rows<[string]>(SIZE));
      return { bytes: Number(bytes) };
    },
    ready: async (toWrite = false) => isOpen && withTimeout(READY, readiness.check(toWrite), false),
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await withTimeout(CLOSE, close(), undefined);
    },
  };
};
