/** A program: services in one process, each with one of the environments in `SERVICES`. */
import { catalogue } from '../../src/catalogue.ts';
import { createLog } from '../../src/log/log.ts';
import { startService } from '../../src/service/service.ts';
import { readConfig } from '../../src/settings/config.ts';

const { SERVICES = '[]', ...shared } = process.env;
for (const settings of JSON.parse(SERVICES)) {
  const config = readConfig({ ...shared, ...settings });
  await startService(catalogue, config, createLog({ level: config.LOG_LEVEL, format: config.LOG_FORMAT }));
}
