import manifest from '../../../package.json' with { type: 'json' };
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { publicAddress } from '../../store/postgres/connection/addresses.ts';
import { isLoopback } from '../access/browsers.ts';
import { createLog } from '../log/log.ts';
import { listen } from '../server/server.ts';
import { type Config, findMisspelt, readConfig } from '../settings/config.ts';
import { loadChosenCatalogue } from '../tables/load.ts';
import { endOnSignals, startOrExit } from './process.ts';
import { startService } from './service.ts';

/** @returns what runs, on which database; nothing of the database's URL that could be a password is in it */
export function describeStart({ DATABASE_URL: url }: Pick<Config, 'DATABASE_URL'>): string {
  const [start, at] = [url.indexOf('//'), url.lastIndexOf('@')];
  const hidden = start !== -1 && at > start ? url.slice(0, start + 2) + url.slice(at + 1) : url;
  const database = publicAddress(url) || hidden;
  return `${manifest.name} ${manifest.version}, Node.js ${process.versions.node}, database ${database}`;
}

export async function runService(own: Catalogue): Promise<void> {
  await startOrExit(async () => {
    const config = readConfig();
    const catalogue = await loadChosenCatalogue(own, config.CATALOGUE);
    const log = createLog({ level: config.LOG_LEVEL, format: config.LOG_FORMAT });
    process.on('exit', log.close);
    log.info(describeStart(config));
    for (const line of findMisspelt()) log.warn(line);
    const service = await startService(catalogue, config, log);
    if (service.metrics) {
      // It is loaded here, because most services are not measured.
      const { createMetricsServer } = await import('../metrics/server.ts');
      // Names that others point at this machine matter only if it listens on loopback.
      const hosts = isLoopback(config.METRICS_HOST) ? config.ALLOWED_HOSTS : ['*'];
      const server = createMetricsServer(
        service.metrics,
        (error) => log.error('the metrics cannot be collected', error),
        hosts,
      );
      log.info(`metrics ${await listen(server, config.METRICS_HOST, config.METRICS_PORT ?? 0, 'METRICS_')}/metrics`);
    }
    endOnSignals(service.stop, log);
    log.info(`serving ${[...service.trees].map(([tag, address]) => `${address} (${tag})`).join(', ')}`);
  });
}
