import type { Catalogue } from '../../model/catalogue.ts';
import { commitQueue } from '../commit-queue.ts';
import { DatabaseError } from '../database-error.ts';
import type { Store } from '../port.ts';
import { statement } from '../sql/statement.ts';
import { readChange } from '../sql/system-tables.ts';
import { publicAddress, strengthened } from './addresses.ts';
import { checkPrepared } from './check-server.ts';
import { itemReader } from './items.ts';
import { listsOf } from './lists.ts';
import type { PostgresOptions } from './options.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { prepareDatabase } from './schema.ts';
import { snapshots } from './snapshots.ts';
import { committer } from './writes.ts';

/** Defaults: connections, and milliseconds. */
const POOL = 10;
const TIMEOUT = 5_000;

/** Milliseconds in which the database says whether it is ready, and in which a store closes. */
const READY = 2_000;
const CLOSE = 1_500;

const within = <T>(time: number, work: Promise<T>, otherwise: T): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), time);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/** @throws DatabaseError with the address and the reason */
const setUp = async (url: string, options: PoolOptions, catalogue: Catalogue): Promise<void> => {
  const pools = [
    openPool(url, { ...options, size: 1, isPatient: true }),
    openPool(url, { ...options, size: 2 }),
  ] as const;
  const [patient, pair] = pools;
  try {
    await prepareDatabase(patient, catalogue);
    if (options.prepare === 'on') await checkPrepared(pair);
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
    throw new DatabaseError(`${publicAddress(url)}: ${reason.message}`, { cause: error });
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
};

/**
 * Opens a database on a server, creating what is missing. Any number of processes may have it open.
 *
 * @param url `postgres://…`
 * @param catalogue what it keeps
 * @throws DatabaseError where it cannot be used, with the reason; what is there is left untouched
 */
export const openPostgres = async (
  url: string,
  catalogue: Catalogue,
  { pool: size = POOL, timeout = TIMEOUT, readUrl = url, prepare, report }: PostgresOptions = {},
): Promise<Store> => {
  const pool = { size, timeout, prepare, report };
  for (const mode of new Set([url, readUrl].map(strengthened))) {
    if (mode) report?.(`sslmode=${mode} is taken as verify-full: the database's certificate is checked`);
  }
  await setUp(url, pool, catalogue);
  const main = openPool(url, pool);
  const reading = readUrl === url ? main : openPool(readUrl, { ...pool, isReadOnly: true });
  const streaming = openPool(readUrl, { ...pool, isReadOnly: readUrl !== url });
  const queue = commitQueue(committer(main, catalogue));
  const streams = snapshots(streaming, size);
  const lists = listsOf(reading, streams.list);
  const readLatest = itemReader(main, catalogue, timeout);
  const readAny = itemReader(reading, catalogue, timeout);
  let isOpen = true;

  const close = async (): Promise<void> => {
    await queue.drain();
    streams.close();
    await Promise.all([main, reading, streaming].map((pool) => pool.end()));
  };
  return {
    get: async (collection, keys, freshness) => {
      const known = freshness === 'any' && reading !== main ? await readAny(collection, keys) : undefined;
      // What a replica does not have may be younger than it.
      return known ?? readLatest(collection, keys);
    },
    summarize: lists.summarize,
    list: lists.list,
    write: queue.write,
    ready: async () => {
      if (!isOpen) return false;
      const asked = main.read(({ rows }) => rows(statement(readChange)));
      const answered = asked.then(
        () => true,
        () => false,
      );
      return within(READY, answered, false);
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await within(CLOSE, close(), undefined);
    },
  };
};
