import manifest from '../package.json' with { type: 'json' };
import type { Catalogue } from './gateway/model/catalogue.ts';
import type { Log } from './host/log/log.ts';
import { databaseMeter } from './host/metrics/database.ts';
import { aggregated } from './host/metrics/family.ts';
import { processMeter } from './host/metrics/process.ts';
import { storeMeter } from './host/metrics/store.ts';
import { portToShare } from './host/service/listen.ts';
import { mostConnections } from './host/service/most-connections.ts';
import { openStoreOf } from './host/service/open-store.ts';
import { readLocales, warnOfAccess } from './host/service/prepare.ts';
import type { Service } from './host/service/service.ts';
import { startUpkeep } from './host/service/upkeep.ts';
import type { Config } from './host/settings/config.ts';
import { workerPool } from './host/workers/pool.ts';

/** Connections to a server: one commits, one checks readiness. */
const POOL = 2;

/**
 * Starts the primary, which serves no requests itself: it logs the start, creates what the database lacks, starts the workers,
 * and commits the writes of all of them, in as few transactions as one process would need.
 *
 * @throws LocaleError, DatabaseError or FaultsError where it cannot start
 */
export const startPrimary = async (catalogue: Catalogue, config: Config, log: Log): Promise<Service> => {
  readLocales(catalogue, config, log);
  const commits = config.METRICS_PORT === undefined ? undefined : storeMeter();
  const store = await openStoreOf(config, catalogue, { pool: POOL, report: log.warn, onCommit: commits?.onCommit });
  const upkeep = startUpkeep(store, catalogue, config, log);
  warnOfAccess(config, log);
  // Tells of what each worker lacks, once.
  mostConnections(config, log);
  const stop = async (): Promise<void> => {
    await upkeep.stop();
    await workers.stop(config.STOP_TIMEOUT);
    await store.close();
  };
  const { port, release } = await portToShare({ port: config.PORT, host: config.HOST });
  const workers = workerPool({
    count: config.WORKERS,
    env: { PORT: String(port) },
    store,
    log,
    giveUp: async () => {
      await stop();
      process.exit(1);
    },
  });
  const { origin, trees } = await workers.start();
  await release();
  const collectOwn = commits && processMeter(manifest.version);
  const metrics = collectOwn && {
    // This process commits for its workers.
    ofProcess: async () => aggregated([...(await Promise.all([workers.collect(), collectOwn()])), commits.families()]),
    ofDatabase: databaseMeter(store, catalogue),
  };
  const reload = async (changed: Config): Promise<void> => {
    await store.changeUrls?.(changed.DATABASE_URL, changed.DATABASE_READ_URL);
    workers.reload();
    await upkeep.reload();
  };
  return { origin, trees, metrics, reload, stop };
};
