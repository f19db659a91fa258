import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { createLog } from '../log/log.ts';
import { readStartSettings } from '../settings/config.ts';
import { chosenCatalogue } from '../tables/chosen-catalogue.ts';
import { endWith, startOrExit } from './process.ts';
import { reloader } from './reload.ts';
import { startService } from './service.ts';
import { startLine } from './start-line.ts';

/**
 * Runs the service by the settings of the environment until a signal ends it.
 *
 * @param own the project's catalogue, which serves unless the settings name another one
 */
export async function runService(own: Catalogue): Promise<void> {
  await startOrExit(async () => {
    const started = readStartSettings();
    const { config, misspelt } = started;
    const catalogue = await chosenCatalogue(own, config.CATALOGUE);
    const log = createLog({ level: config.LOG_LEVEL, format: config.LOG_FORMAT });
    process.on('exit', log.close);
    log.info(startLine(started));
    for (const line of misspelt) log.warn(line);
    const service = await startService(catalogue, config, log);
    if (service.metrics) {
      const { serveMetrics } = await import('./serve-metrics.ts');
      await serveMetrics(service.metrics, config, log);
    }
    endWith(service, log, reloader(service, config, log));
    log.info(`serving ${[...service.trees].map(([tag, address]) => `${address} (${tag})`).join(', ')}`);
  });
}
