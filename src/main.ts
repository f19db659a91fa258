/** The process: settings → service → until a signal. */
import { flushCompileCache } from 'node:module';
import { catalogue as own } from './catalogue.ts';
import { createLog } from './host/log/log.ts';
import { endWith, startOrExit } from './host/service/process.ts';
import { reloader } from './host/service/reload.ts';
import { startService } from './host/service/service.ts';
import { startLine } from './host/service/start-line.ts';
import { readStartSettings } from './host/settings/config.ts';
import { chosenCatalogue } from './host/tables/chosen-catalogue.ts';

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
    const { serveMetrics } = await import('./host/service/serve-metrics.ts');
    await serveMetrics(service.metrics, config, log);
  }
  endWith(service, log, reloader(service, config, log));
  log.info(`serving ${[...service.trees].map(([tag, address]) => `${address} (${tag})`).join(', ')}`);
});
// Now, because a process that is killed would never write it.
flushCompileCache();
