import type { Catalogue } from '../../model/catalogue.ts';
import { commitQueue } from '../commit-queue.ts';
import { DatabaseError } from '../database-error.ts';
import type { Store } from '../port.ts';
import { publicAddress, strengthened } from './addresses.ts';
import { checkPrepared } from './check-server.ts';
import { itemReader } from './items.ts';
import { listsOf } from './lists.ts';
import type { PostgresOptions } from './options.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { readinessOf } from './readiness.ts';
import { type Reads, withReplica } from './replica.ts';
import { prepareDatabase } from './schema.ts';
import { snapshots } from './snapshots.ts';
import { committer } from './writes.ts';

/** Defaults: number of connections, and milliseconds. */
const POOL = 10;
const TIMEOUT = 5_000;

/** Milliseconds that a readiness check and closing may take. */
const READY = 1_000;
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
    openPool(url, { ...options, size: 2, isPatient: true }),
    openPool(url, { ...options, size: 2 }),
  ] as const;
  const [patient, pair] = pools;
  try {
    await prepareDatabase(patient, catalogue, options.report);
    if (options.prepare === 'on') await checkPrepared(pair);
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
    throw new DatabaseError(`${publicAddress(url)}: ${reason.message}`, { cause: error });
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
  { pool: size = POOL, timeout = TIMEOUT, readUrl = url, prepare, report = () => {} }: PostgresOptions = {},
): Promise<Store> => {
  const pool = { size, timeout, prepare, report };
  for (const mode of new Set([url, readUrl].map(strengthened))) {
    if (mode) report(`sslmode=${mode} is taken as verify-full: the database's certificate is checked`);
  }
  await setUp(url, pool, catalogue);
  const side = (url: string, isReadOnly: boolean) => {
    const options = { ...pool, isReadOnly };
    const [quick, streaming] = [openPool(url, options), openPool(url, options)];
    const streams = snapshots(streaming, size);
    const end = async (): Promise<void> => {
      streams.close();
      await Promise.all([quick.end(), streaming.end()]);
    };
    const reads: Reads = { get: itemReader(quick, catalogue, timeout), ...listsOf(quick, streams.list) };
    return { pool: quick, reads, end };
  };
  const main = side(url, false);
  const copy = readUrl === url ? undefined : side(readUrl, true);
  const copied = copy && withReplica(main.reads, copy.reads, copy.pool, catalogue, report);
  const commit = committer(main.pool, catalogue);
  const readiness = readinessOf(main.pool, publicAddress(url), catalogue, report);
  const queue = commitQueue(async (intents) => {
    const settled = await commit(intents);
    readiness.saw(settled);
    return settled;
  });
  let isOpen = true;

  const close = async (): Promise<void> => {
    await queue.drain();
    copied?.close();
    await Promise.all([main.end(), copy?.end()]);
  };
  return {
    ...(copied ?? main.reads),
    write: queue.write,
    ready: async () => isOpen && within(READY, readiness.check(), false),
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await within(CLOSE, close(), undefined);
    },
  };
};
