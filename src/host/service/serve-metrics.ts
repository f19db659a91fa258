import type { Log } from '../log/log.ts';
import { type Collect, gauge } from '../metrics/family.ts';
import type { ServiceMetrics } from '../metrics/metrics.ts';
import { metricsServer } from '../metrics/server.ts';
import type { Config } from '../settings/config.ts';
import { lastCopyIn } from '../settings/copies.ts';
import { listen } from './listen.ts';

/** @returns what one process has measured, what is in its database, and when that was last copied */
export const allMetrics =
  ({ ofProcess, ofDatabase }: ServiceMetrics, copies?: string): Collect =>
  async () => [
    ...(await Promise.all([ofProcess(), ofDatabase()])).flat(),
    ...(copies === undefined
      ? []
      : [
          gauge(
            'catalogue_last_backup_timestamp_seconds',
            'Time of the newest copy, 0 without one.',
            lastCopyIn(copies),
          ),
        ]),
  ];

/**
 * Serves metrics until the process ends.
 *
 * @throws FaultsError
 */
export const serveMetrics = async (
  collect: Collect,
  { METRICS_HOST: host, METRICS_PORT: port = 0 }: Pick<Config, 'METRICS_HOST' | 'METRICS_PORT'>,
  log: Pick<Log, 'info' | 'error'>,
): Promise<void> => {
  const server = metricsServer(collect, (error) => log.error('the metrics cannot be collected', error));
  log.info(`metrics ${await listen(server, { host, port, prefix: 'METRICS_' })}/metrics`);
};
