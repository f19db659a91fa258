import manifest from '../../../package.json' with { type: 'json' };
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { messageOf } from '../../gateway/port/unavailable.ts';
import { publicAddress } from '../../store/postgres/connection/addresses.ts';
import { createLog, type Log } from '../log/log.ts';
import { listen } from '../server/server.ts';
import { type Config, ConfigError, readConfig, readStartSettings, type StartSettings } from '../settings/config.ts';
import { loadChosenCatalogue } from '../tables/load.ts';
import { endOnSignals, startOrExit } from './process.ts';
import { type Service, startService } from './service.ts';

/** @returns a value on one line as a shell would be given it, without what could be a password */
function quoteSetting(text: string): string {
  const open = text.replace(/\/\/.*@/s, '//');
  return /^[\x21-\x7e]+$/.test(open) ? open : JSON.stringify(open);
}

/** @returns what runs, on which database, and with which settings that are not the defaults; no secret is in it */
export function startLine({ config, changed }: StartSettings): string {
  const { DATABASE_URL } = config;
  const database = publicAddress(DATABASE_URL) || quoteSetting(DATABASE_URL);
  const settings = [...changed]
    .filter(([name]) => name !== 'DATABASE_URL')
    .map(([name, text]) => `${name}=${quoteSetting(text)}`);
  const program = `${manifest.name} ${manifest.version}, Node.js ${process.versions.node}, database ${database}`;
  return settings.length === 0 ? program : `${program}; ${settings.join(' ')}`;
}

async function reload(service: Service, started: Config, log: Log): Promise<void> {
  try {
    const changed = readConfig();
    if (publicAddress(started.DATABASE_URL) !== publicAddress(changed.DATABASE_URL)) {
      throw new ConfigError(['DATABASE_URL: names another database, which takes a restart']);
    }
    await service.reload(changed);
    log.info('secrets, keys and the settings of tokens were read again');
  } catch (error) {
    const faults = error instanceof ConfigError ? error.faults : [`DATABASE_URL: ${messageOf(error)}`];
    for (const fault of faults) log.error(`reload: ${fault}; the old settings are kept`);
  }
}

/** Serves metrics until the process ends. @throws FaultsError */
async function serveMetrics(
  read: () => Promise<string>,
  { METRICS_HOST, METRICS_PORT = 0 }: Config,
  log: Log,
): Promise<void> {
  // Loaded here, because most services are not measured.
  const { metricsServer } = await import('../metrics/server.ts');
  const server = metricsServer(read, (error) => log.error('the metrics cannot be collected', error));
  log.info(`metrics ${await listen(server, METRICS_HOST, METRICS_PORT, 'METRICS_')}/metrics`);
}

/** Runs the service by the settings of the environment until a signal ends it. */
export async function runService(own: Catalogue): Promise<void> {
  await startOrExit(async () => {
    const started = readStartSettings();
    const { config, misspelt } = started;
    const catalogue = await loadChosenCatalogue(own, config.CATALOGUE);
    const log = createLog({ level: config.LOG_LEVEL, format: config.LOG_FORMAT });
    process.on('exit', log.close);
    log.info(startLine(started));
    for (const line of misspelt) log.warn(line);
    const service = await startService(catalogue, config, log);
    if (service.metrics) await serveMetrics(service.metrics, config, log);
    endOnSignals(service.stop, log, () => reload(service, config, log));
    log.info(`serving ${[...service.trees].map(([tag, address]) => `${address} (${tag})`).join(', ')}`);
  });
}
